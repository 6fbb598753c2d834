import { describe, expect, test } from '@jest/globals';
import { lexer } from 'marked';
import { growBlocks, NO_BLOCKS } from './blocks.ts';

const TEXT = `# Title

A paragraph with **bold** and \`code\`.

- one
- two

  still two

1. first
2. second

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> quoted
> more

Heading
=======

last words
`;

const shape = (tokens: readonly { type: string; raw: string }[]) => tokens.map((token) => [token.type, token.raw]);

describe('growBlocks', () => {
  test.each([1, 3, 7, 40])('read in steps of %i characters gives the blocks of the whole text', (step) => {
    let blocks = NO_BLOCKS;
    for (let end = step; end < TEXT.length + step; end += step) blocks = growBlocks(blocks, TEXT.slice(0, end), true);
    expect(shape(blocks.tokens)).toEqual(shape(lexer(TEXT)));
  });

  test('closes an open fence', () => {
    const { tokens } = growBlocks(NO_BLOCKS, 'Look:\n\n```js\nlet a = 1;\nlet', true);
    expect(tokens.at(-1)).toMatchObject({ type: 'code', lang: 'js', text: 'let a = 1;\nlet' });
  });

  test('parses a replaced text from its beginning', () => {
    const before = growBlocks(NO_BLOCKS, '# One', true);
    expect(shape(growBlocks(before, 'Two', true).tokens)).toEqual([['paragraph', 'Two']]);
  });

  test('reuses finished blocks', () => {
    const before = growBlocks(NO_BLOCKS, TEXT, true);
    const after = growBlocks(before, `${TEXT}more`, true);
    expect(after.tokens[0]).toBe(before.tokens[0]);
  });
});
