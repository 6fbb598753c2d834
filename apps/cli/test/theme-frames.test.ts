import { THEME_NAMES } from '@fucina/shared/themes';
import { expect, test } from '@jest/globals';
import type { Line, Span, Token } from '../src/screen/line.ts';
import { compareTexts } from '../src/screen/render/diff/compare.ts';
import { differenceLines } from '../src/screen/render/diff/draw.ts';
import { createHighlighter, type Highlight } from '../src/screen/render/highlight.ts';
import { markdownLines } from '../src/screen/render/markdown/view.ts';
import { createPalette, type Depth } from '../src/screen/render/palette.ts';
import { translatorFor } from '../src/words/index.ts';
import { expectFrame } from './frames.ts';

const WIDTH = 64;
const TEXT = `# Heading

Some **bold** and *slanted* words, \`code\`, a [link](http://example.com).

> a quote

- [x] done

\`\`\`ts
// a comment
export class Parser extends Base {
  read(line: string): number { return line.length + 12; }
}
\`\`\``;

async function loaded(): Promise<Highlight> {
  return new Promise((resolve) => {
    const highlighter = createHighlighter(() => resolve(highlighter.highlight));
    highlighter.highlight('a', 'ts');
  });
}

/** A sample of everything in a theme: prose, code, a diff, every status color, selection. */
async function sample(): Promise<Line[]> {
  const tokens: Token[] = ['text', 'muted', 'accent', 'success', 'warning', 'danger', 'info', 'line'];
  const signals = tokens.flatMap((token): Span[] => [{ text: token, token }, { text: ' ' }]);
  return [
    ...markdownLines(TEXT, { width: WIDTH, highlight: await loaded() }),
    ...differenceLines(compareTexts('let a = one(1);', 'let a = two(1);'), { width: WIDTH, say: translatorFor('en') }),
    signals,
    [
      { text: ' marked ', token: 'accentText', background: 'accent' },
      { text: ' chosen ', background: 'raised' },
    ],
  ];
}

test.each(['none', '16', '256', '16M'] as Depth[])(
  'draws every theme on dark and light with color depth %s',
  async (depth) => {
    const lines = await sample();
    const frames = THEME_NAMES.flatMap((theme) =>
      [false, true].map((isLight) => {
        const palette = createPalette({ env: {}, theme, depth, isLight });
        const rows = lines.map((line) => palette.paint(line).replaceAll('\u001b', '␛'));
        return `== ${theme}, ${isLight ? 'light' : 'dark'}\n${rows.join('\n')}\n`;
      }),
    );
    // Without colors there is only one appearance.
    if (depth === 'none') expect(new Set(frames.map((frame) => frame.replace(/^.*\n/, ''))).size).toBe(1);
    expectFrame(`themes-${depth}`, depth === 'none' ? (frames[0] ?? '') : frames.join('\n'));
  },
);
