import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Line } from '../../line.ts';
import { createHighlighter, type Highlight } from '../highlight.ts';
import { createPalette } from '../palette.ts';
import { lineWidth } from '../width.ts';
import { createMarkdownView, markdownLines } from './view.ts';

const plain: Highlight = () => undefined;
const shown = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
const draw = (text: string, width = 40): string =>
  `\n${shown(markdownLines(text, { width, highlight: plain })).join('\n')}\n`;

describe('Markdown on a terminal', () => {
  test('renders headings, emphasis, code and links', () => {
    expect(
      markdownLines('# A\n\n## B\n\na **b** *c* ~~d~~ `e` [f](http://g)', { width: 60, highlight: plain }),
    ).toEqual([
      [{ text: 'A', token: 'accent', isBold: true, isUnderlined: true }],
      [],
      [{ text: 'B', token: 'accent', isBold: true }],
      [],
      [
        { text: 'a ' },
        { text: 'b', isBold: true },
        { text: ' ' },
        { text: 'c', isItalic: true },
        { text: ' ' },
        { text: 'd', isStruck: true },
        { text: ' ' },
        { text: 'e', token: 'codeFunction', background: 'codeBackground' },
        { text: ' ' },
        { text: 'f', token: 'info', isUnderlined: true },
        { text: ' (http://g)', token: 'muted' },
      ],
    ]);
  });

  test('renders nested, numbered and task lists', () => {
    expect(
      draw(
        '- one\n- two\n  - deep and so long that it needs a second row\n    1. deeper\n\n9. nine\n10. ten\n\n- [x] done\n- [ ] open',
      ),
    ).toBe(`
• one
• two
  ◦ deep and so long that it needs a
    second row
    1. deeper

 9. nine
10. ten

• [x] done
• [ ] open
`);
  });

  test('renders quotes and rules', () => {
    expect(draw('> one\n> > two\n\n---\n\nend', 12)).toBe('\none\n\ntwo\n\n────────────\n\nend\n');
    expect(draw('> one\n> > two', 20)).toBe('\n│ one\n│\n│ │ two\n');
  });

  test('draws a table as a box, shrinks it, and falls back to rows', () => {
    const table = '| Name | What it does |\n|---|--:|\n| a | shows the *first* thing |\n| b | 2 |';
    expect(draw(table)).toBe(`
┌──────┬───────────────────────┐
│ Name │          What it does │
├──────┼───────────────────────┤
│ a    │ shows the first thing │
│ b    │                     2 │
└──────┴───────────────────────┘
`);
    expect(draw(table, 24)).toBe(`
┌──────┬───────────────┐
│ Name │  What it does │
├──────┼───────────────┤
│ a    │     shows the │
│      │   first thing │
│ b    │             2 │
└──────┴───────────────┘
`);
    expect(draw(table, 16)).toBe(`
Name: a
What it does:
  shows the
  first thing
────────
Name: b
What it does: 2
`);
  });

  test('draws code on its own background and keeps its spaces', () => {
    expect(draw('```ts\nif (a) {\n\tb();\n}\n```', 20)).toBe('\n                 ts\n  if (a) {\n      b();\n  }\n');
  });

  test('shows HTML as text', () => {
    expect(draw('a <b>c</b> &lt;i&gt; &#27;[2J<br>d')).toBe('\na <b>c</b> <i> ␛[2J\nd\n');
  });

  test('resolves reference links defined later', () => {
    expect(draw('see [a][b]\n\nmore\n\nand\n\n[b]: http://c')).toBe('\nsee a (http://c)\n\nmore\n\nand\n');
  });
});

describe('streamed Markdown', () => {
  test('holds back the first row of a table until the table is recognized', () => {
    const view = createMarkdownView();
    view.push('text\n\n| a | b |\n|--');
    expect(shown(view.lines({ width: 20, highlight: plain }))).toEqual(['text']);
    view.push('-|---|\n');
    expect(shown(view.lines({ width: 20, highlight: plain }))[2]).toBe('┌───┬───┐');
  });

  test('shows code before its fence is closed', () => {
    const view = createMarkdownView();
    view.push('```js\nlet a');
    expect(shown(view.lines({ width: 20, highlight: plain }))).toEqual(['                 js', '  let a']);
  });

  test('draws the same lines for the same text', () => {
    const view = createMarkdownView();
    view.push('a');
    expect(view.lines({ width: 20, highlight: plain })).toBe(view.lines({ width: 20, highlight: plain }));
  });

  const block = fc.oneof(
    fc.constantFrom(
      '# a\n\n',
      'a\nb\n',
      'a\n===\n',
      '- a\n',
      '- a\n\n  b\n',
      '1. a\n2. b\n',
      '> q\n',
      '> q\nlazy\n',
      '```js\nx\n\ny\n```\n',
      '```\nopen\n',
      '| a | b |\n|---|---|\n| 1 | 2 |\n',
      '---\n',
      '<div>\n\nx\n</div>\n',
      '<!-- c\n\n',
      '-->\n',
      '\n',
      '\n\n',
      '    code\n\n',
      'a | b\n',
      '[r]: http://x\n',
      '[r]\n',
      '> [q]: u\n',
      '[q]\n',
      '```x`y\n',
      '* * *\n',
      '  ',
      '\t',
      '-',
      '=',
      '`',
      '**',
      '~~',
      '_a_',
      '\r\n',
      '\u200b',
      '日本',
      '&amp;',
    ),
    fc.string({ maxLength: 12 }),
  );
  const pieces = fc.array(block, { maxLength: 14 });

  test('ends with the same rows as the complete text', () => {
    fc.assert(
      fc.property(
        pieces,
        fc.array(fc.nat(200), { maxLength: 30 }),
        fc.integer({ min: 4, max: 50 }),
        (parts, cuts, width) => {
          const text = parts.join('');
          const view = createMarkdownView();
          let from = 0;
          for (const cut of [...cuts].sort((a, b) => a - b)) {
            view.push(text.slice(from, Math.max(from, cut)));
            from = Math.max(from, Math.min(cut, text.length));
            view.lines({ width, highlight: plain });
          }
          view.push(text.slice(from));
          view.end();
          expect(shown(view.lines({ width, highlight: plain }))).toEqual(
            shown(markdownLines(text, { width, highlight: plain })),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('never exceeds its width and prints no control characters', () => {
    const palette = createPalette({ env: {}, depth: 'bare' });
    const hostile = fc.oneof(
      block,
      fc.constantFrom('\x1b[2J', '\x1b]8;;x\x07', '\u202e', '\0', '\ud83d'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 14 }), fc.integer({ min: 1, max: 50 }), (parts, width) => {
        for (const line of markdownLines(parts.join(''), { width, highlight: plain })) {
          expect(lineWidth(line)).toBeLessThanOrEqual(width);
          expect(line.map(({ text }) => text).join('')).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u202a-\u202e]/u);
          expect(palette.paint(line)).toBe(line.map(({ text }) => text).join(''));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('stays fast for long texts in small pieces', () => {
    const paragraph =
      'Some **words** about `code` and [links](http://x.y).\n\n- one\n- two\n\n```js\nconst a = 1;\n```\n\n';
    const text = paragraph.repeat(400);
    const view = createMarkdownView();
    const at = performance.now();
    for (let from = 0; from < text.length; from += 8) {
      view.push(text.slice(from, from + 8));
      if (from % 256 === 0) view.lines({ width: 80, highlight: plain });
    }
    expect(performance.now() - at).toBeLessThan(15_000);
  });

  test('extreme nesting is shown as source', () => {
    expect(draw('>'.repeat(20_000)).length).toBeGreaterThan(20_000);
  });
});

describe('highlighted code', () => {
  test('is plain until the grammars are loaded, then highlighted', async () => {
    let isReady = (): void => undefined;
    const ready = new Promise<void>((resolve) => (isReady = resolve));
    const { highlight, version } = createHighlighter(isReady);
    expect(highlight('let a', 'js')).toBeUndefined();
    expect(version()).toBe(0);
    await ready;
    expect(version()).toBe(1);
    expect(highlight('let a = "<&";\n// c', 'js')).toEqual([
      [
        { text: 'let', token: 'codeKeyword' },
        { text: ' a = ', token: 'codeText' },
        { text: '"<&"', token: 'codeString' },
        { text: ';', token: 'codeText' },
      ],
      [{ text: '// c', token: 'codeComment' }],
    ]);
    expect(highlight('let a', 'no-such')).toBeUndefined();
    expect(highlight('x'.repeat(50_000), 'js')).toBeUndefined();
    const long = Array.from({ length: 100 }, (_item, index) => `let a${index} = 1;`).join('\n');
    expect(highlight(long, 'js', true)).toEqual(highlight(long, 'js'));
    expect(shown(highlight('/* a\x1b[2J\nb */', 'css') ?? [])).toEqual(['/* a␛[2J', 'b */']);
  });
});
