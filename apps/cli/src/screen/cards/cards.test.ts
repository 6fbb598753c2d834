import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sayIn } from '../../words/index.ts';
import type { Item } from '../conversation/items.ts';
import type { Line } from '../line.ts';
import { createHighlighter } from '../look/highlight.ts';
import { lineWidth } from '../look/width.ts';
import { amount, type CardLook, duration } from './card.ts';
import { createItemDrawer } from './draw-item.ts';

const lookOf = (width: number, more: Partial<CardLook> = {}): CardLook => ({
  width,
  proseWidth: width,
  say: sayIn('en'),
  isMarkdown: true,
  highlighter: createHighlighter(() => undefined),
  showsReasoning: false,
  isUnfolded: false,
  ...more,
});
const plain = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
const draw = (item: Item, look = lookOf(80), isUnfolded = false): string[] =>
  plain(createItemDrawer('en').draw(item, look, isUnfolded));

const TOOL: Extract<Item, { kind: 'tool' }> = {
  kind: 'tool',
  key: 'c',
  tool: 'shell',
  args: '{"comando":"npm test"}',
  startedAt: 0,
  output: '',
  droppedLines: 0,
  isOver: true,
  changes: [],
  outcome: { content: 'ok', durationMs: 2_345, isCommand: true, exitCode: 0, isFailed: false },
};

describe('a call of a tool', () => {
  test('is one line: what it was about and how it ended', () => {
    expect(draw(TOOL)).toEqual([`✓ Ran  npm test${' '.repeat(80 - 20)}2.3 s`]);
    const failed = { ...TOOL, outcome: { ...TOOL.outcome, exitCode: 1 } } as Item;
    expect(draw(failed)[0]).toMatch(/^✗ Ran {2}npm test +exit 1 · 2\.3 s$/);
    const cut = {
      content: 'Stopped.',
      durationMs: undefined,
      isCommand: false,
      exitCode: undefined,
      isFailed: true,
    };
    expect(draw({ ...TOOL, outcome: { ...cut, isInterrupted: true } })[0]).toMatch(/^✗ .* stopped$/);
    expect(draw({ ...TOOL, leave: 'denied' })[0]).toMatch(/^✗ .* denied · 2\.3 s$/);
    const stopped = { ...TOOL, outcome: { ...TOOL.outcome, exitCode: undefined } } as Item;
    expect(draw(stopped)[0]).toMatch(/^✗ .* stopped · 2\.3 s$/);
  });

  test('shows why it failed without being unfolded', () => {
    const content = 'vecchio does not occur in a.ts: percorso is right';
    const edit = {
      ...TOOL,
      tool: 'file_edit',
      args: '{"percorso":"a.ts"}',
      outcome: { ...TOOL.outcome, content, isCommand: false, exitCode: undefined, isFailed: true },
    } as Item;
    expect(draw(edit).slice(1)).toEqual(['  old text does not occur in a.ts: file is right']);
    const output = 'one\ntwo\nthree\nfour\nfive\n';
    const command = { ...TOOL, output, outcome: { ...TOOL.outcome, exitCode: 1 } } as Item;
    expect(draw(command).slice(1)).toEqual(['  … 1 lines left out', '  two', '  three', '  four', '  five']);
    const missing = '"b" does not exist. Look for it with cerca (nome).';
    expect(
      draw({ ...edit, outcome: { ...TOOL.outcome, content: missing, isCommand: false, isFailed: true } } as Item)[1],
    ).toBe('  "b" does not exist. Look for it with search (name).');
    expect(draw({ ...edit, leave: 'denied' } as Item)).toHaveLength(1);
  });

  test('shows the last lines it prints while it runs, and how many came before', () => {
    const { outcome: _none, ...running } = TOOL;
    const output = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
    const lines = draw({ ...running, isOver: false, output, droppedLines: 5 });
    expect(lines[0]).toMatch(/^● Running {2}npm test$/);
    expect(lines.slice(1)).toEqual([
      '  … 17 lines left out',
      ...Array.from({ length: 8 }, (_, at) => `  line ${at + 12}`),
    ]);
  });

  test('a line that is written over ends as it was written last', () => {
    const { outcome: _none, ...running } = TOOL;
    expect(draw({ ...running, isOver: false, output: '10%\r50%\r100%\nnext\r\n' }).slice(1)).toEqual([
      '  100%',
      '  next',
    ]);
  });

  test('unfolded has its arguments, its output or answer, and what it changed', () => {
    const args = JSON.stringify({ percorso: 'a.ts', contenuto: 'x', tutte: true });
    const changes = [{ path: 'a.ts', before: 'one\ntwo\n', after: 'one\n2\n', isUntold: false }];
    const edit = { ...TOOL, tool: 'scrivi', args, changes } as Item;
    expect(draw(edit)[0]).toMatch(/^✓ Wrote {2}a\.ts {2}\+1 -1 +/);
    const lines = draw(edit, lookOf(80), true).join('\n');
    expect(lines).toMatch(/: true$/m);
    expect(lines).toMatch(/- two/);
    expect(lines).toMatch(/\+ 2/);
    expect(draw({ ...TOOL, output: 'printed\n' }, lookOf(80), true)).toContain('  printed');
    expect(
      draw({ ...TOOL, tool: 'leggi', outcome: { ...TOOL.outcome, content: 'told' } } as Item, lookOf(80), true),
    ).toContain('  told');
  });

  test('whose arguments are still arriving shows what is there', () => {
    const { outcome: _none, ...running } = TOOL;
    expect(draw({ ...running, isOver: false, args: '{"comando":"echo \\"hi\\"","x":"unfin' })[0]).toBe(
      '● Running  echo "hi"',
    );
  });

  test('of somebody else goes by its own name', () => {
    expect(draw({ ...TOOL, tool: 'mcp__files__open', args: '{"name":"a"}' })[0]).toMatch(/^✓ mcp__files__open {2}a/);
  });
});

describe('words', () => {
  test('of a person stand at a bar, with their pictures and what became of a correction', () => {
    const person: Item = { kind: 'person', key: 'p', text: 'one\ntwo', images: ['a.png'], steer: 'asked' };
    expect(draw(person)).toEqual(['▌ one', '▌ two', '▌ [a.png]', '▌ on its way to the agent']);
  });

  test('of the model are Markdown, or their source', () => {
    const answer: Item = { kind: 'answer', key: 'a', text: '# Hi\n\n**bold**', isOpen: false, startedAt: 0 };
    expect(draw(answer)).toEqual(['Hi', '', 'bold']);
    expect(draw(answer, lookOf(80, { isMarkdown: false }))).toEqual(['# Hi', '', '**bold**']);
    expect(draw({ ...answer, text: ' \n' })).toEqual([]);
  });

  test('grow as they are said, and end as if they had been said at once', () => {
    const drawer = createItemDrawer('en');
    const look = lookOf(40);
    const text = 'A list:\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\nThe end.';
    for (let at = 1; at < text.length; at += 3) {
      drawer.draw({ kind: 'answer', key: 'a', text: text.slice(0, at), isOpen: true, startedAt: 0 }, look, false);
    }
    const whole: Item = { kind: 'answer', key: 'a', text, isOpen: false, startedAt: 0 };
    expect(plain(drawer.draw(whole, look, false))).toEqual(draw(whole, lookOf(40)));
  });

  test('thought are told by their time, and read where that is wanted', () => {
    const thought: Item = { kind: 'reasoning', key: 'r', text: 'because', isOpen: false, startedAt: 0, endedAt: 4_000 };
    expect(draw(thought)).toEqual(['∴ thought for 4.0 s']);
    expect(draw(thought, lookOf(80, { showsReasoning: true }))).toEqual(['∴ thought for 4.0 s', '│ because']);
  });
});

test('the end of a turn says what it took, and what went wrong in a person’s words', () => {
  const end: Item = { kind: 'end', key: 'e', outcome: 'finished', durationMs: 61_000, tokens: 12_345, changedFiles: 2 };
  expect(draw(end)).toEqual(['1 min 1 s · 12.3k tokens · 2 files changed']);
  const failed = draw({
    ...end,
    outcome: 'error',
    code: 'MODEL_CALL_FAILED',
    failureClass: 'rete',
    providerMessage: 'no route to\nhost',
    message: 'ECONNREFUSED',
  });
  expect(failed[0]).toBe('✗ The provider cannot be reached.');
  expect(failed[1]).toBe('  The provider said: no route to host');
  expect(failed.join('\n')).not.toContain('ECONNREFUSED');
});

test('what is drawn again unchanged is the same lines', () => {
  const drawer = createItemDrawer('en');
  const look = lookOf(80);
  expect(drawer.draw(TOOL, look, false)).toBe(drawer.draw(TOOL, look, false));
  expect(drawer.draw(TOOL, look, true)).not.toBe(drawer.draw(TOOL, look, false));
});

test('amounts are short', () => {
  expect([0, 999, 1_000, 99_949, 99_950, 999_499, 1_250_000].map(amount)).toEqual([
    '0',
    '999',
    '1.0k',
    '99.9k',
    '100k',
    '999k',
    '1.3M',
  ]);
  expect([5, 2_345, 61_000, 3_700_000].map(duration)).toEqual(['5 ms', '2.3 s', '1 min 1 s', '1 h 1 min']);
});

describe('no card is wider than the screen or lets a control character through', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom(
        '\x1b[2J',
        '\x9b31m',
        '\u202e',
        '日本',
        '\t',
        '\r',
        '\n',
        'e\u0301',
        '👨‍👩‍👧',
        'word ',
        '**',
        '|',
        '`',
      ),
      maxLength: 60,
    }),
  );
  const item: fc.Arbitrary<Item> = hostile.chain((text) =>
    fc.constantFrom<Item>(
      { kind: 'person', key: 'k', text, images: [text], steer: 'failed' },
      { kind: 'answer', key: 'k', text, isOpen: text.length % 2 === 0, startedAt: 0 },
      { kind: 'reasoning', key: 'k', text, isOpen: true, startedAt: 0 },
      { ...TOOL, tool: text, args: JSON.stringify({ [text]: text, comando: text }), output: text },
      { ...TOOL, args: text, changes: [{ path: text, before: text, after: `${text}x`, isUntold: false }] },
      {
        kind: 'own',
        key: 'k',
        command: text,
        startedAt: 0,
        output: text,
        droppedLines: 0,
        isOver: true,
        problem: text,
      },
      {
        kind: 'questions',
        key: 'k',
        questions: [{ id: 'a', question: text, why: text }],
        status: 'answered',
        answers: { a: [text] },
      },
      { kind: 'plan', key: 'k', content: text, hash: '', status: 'changes-requested', feedback: text },
      { kind: 'event', key: 'k', event: { name: 'workflow', title: text, status: text } },
      { kind: 'event', key: 'k', event: { name: 'fallback', from: text, to: text } },
      {
        kind: 'end',
        key: 'k',
        outcome: 'error',
        code: 'odd',
        message: text,
        durationMs: 1,
        tokens: 1,
        changedFiles: 1,
      },
      { kind: 'told', key: 'k', notice: { tone: 'danger', title: text, body: text } },
    ),
  );

  test.each([40, 80, 120, 8])('at %i columns', (width) => {
    fc.assert(
      fc.property(item, fc.boolean(), fc.boolean(), (one, isUnfolded, showsReasoning) => {
        for (const line of createItemDrawer('it').draw(one, lookOf(width, { showsReasoning }), isUnfolded)) {
          expect(lineWidth(line)).toBeLessThanOrEqual(width);
          for (const { text } of line) expect(text).not.toMatch(/\p{Cc}|[\u202a-\u202e]/u);
        }
      }),
      { numRuns: 150 },
    );
  });
});
