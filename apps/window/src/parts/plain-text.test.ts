import { describe, expect, test } from '@jest/globals';
import { plainPieces, plainText } from './plain-text.ts';

describe('plainText', () => {
  test.each([
    ['# Title\n\nSome **bold** and _soft_ words.', 'Title Some bold and soft words.'],
    ['- one\n- two `code`\n  - three', 'one two code three'],
    ['See [the page](https://example.org "x").', 'See the page.'],
    ['```ts\nconst a = 1;\n```\ndone', 'const a = 1; done'],
    ['| a | b |\n|---|---|\n| 1 | **2** |', 'a b 1 2'],
    ['> quoted\n\nline  \nbreak', 'quoted line break'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['', ''],
  ])('turns %j into %j', (markdown, words) => {
    expect(plainText(markdown)).toBe(words);
  });
});

test('plainPieces removes markers around and inside matches', () => {
  const pieces = [
    { text: '…the **sec', hits: false },
    { text: 'ond', hits: true },
    { text: ' file** in `src/', hits: false },
    { text: 'second', hits: true },
    { text: '.ts`', hits: false },
  ];
  expect(plainPieces(pieces)).toEqual([
    { text: '…the sec', hits: false },
    { text: 'ond', hits: true },
    { text: ' file in src/', hits: false },
    { text: 'second', hits: true },
    { text: '.ts', hits: false },
  ]);
});
