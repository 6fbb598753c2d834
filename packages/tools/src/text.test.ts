import { fakeAmbient } from '@fucina/shared/testing';
import { describe, expect, test } from '@jest/globals';
import { cutMiddle } from './cut.ts';
import { createLiveOutput } from './live-output.ts';
import { createNameFilter } from './name-filter.ts';
import { createTerminalText, plainOutput } from './terminal-text.ts';

const HOSTILE = [
  '\u001b[31;1mx\u001b[0m',
  '\u001b]0;title\u0007x',
  '\u001b]8;;http://a\u001b\\x\u001b]8;;\u001b\\',
  '\u001bPq#0\u001b\\x',
  '\u001b_secret\u001b\\x',
  '\u001b(Bx\u001b=',
  '\u009b31mx',
  '\u009d0;t\u009cx',
  '\u0090q\u009cx',
  'x\b\u0000\u007f\u0005',
  '\u001b[38:2::1:2:3mx',
  '\u001b[1\u001b[0mx',
];

describe('cleaning terminal text', () => {
  test.each(HOSTILE)('turns %j to plain text, whole or in pieces', (text) => {
    expect(plainOutput(text)).toBe('x');
    const cleaner = createTerminalText();
    expect(
      Array.from(text)
        .map((one) => cleaner.write(one))
        .join(''),
    ).toBe('x');
  });

  test('keeps text and what follows an unfinished sequence', () => {
    expect(plainOutput('a\tb\nè 漢 🙂')).toBe('a\tb\nè 漢 🙂');
    expect(plainOutput(`\u001b]${'x'.repeat(5000)}\nend`)).toContain('end');
    expect(plainOutput('10%\r20%\rdone\r\nnext\r\n')).toBe('done\nnext\n');
  });
});

describe('truncating a text', () => {
  test('keeps both ends within the limit and reports the gap', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n');
    const { text, isCut } = cutMiddle(lines, 500);
    expect(isCut).toBe(true);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/^line 0\n[^]*\n\[… \d+ characters cut …\]\n[^]*line 999$/);
    expect(cutMiddle('short', 5)).toEqual({ text: 'short', isCut: false });
  });

  test('never splits a character', () => {
    for (let limit = 100; limit < 120; limit++) {
      expect(/\p{Surrogate}/u.test(cutMiddle('🙂'.repeat(500), limit).text)).toBe(false);
    }
  });
});

describe('a name filter', () => {
  test.each([
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/x/y/a.ts', true],
    ['**/test/**', 'a/test/b/c', true],
    ['a?c', 'x/abc', true],
    ['{a,b}*.{js,ts}', 'b1.ts', true],
    ['{a,b}*.{js,ts}', 'c1.ts', false],
    ['Read', 'docs/README.md', true],
    ['./src/*.ts', 'src/a.ts', true],
    ['*', 'anything/at/all', true],
    ['{', 'a{b', false],
  ])('%s on %s: %p', (pattern, path, isMatch) => expect(createNameFilter(pattern)(path)).toBe(isMatch));

  test('answers hostile patterns at once', () => {
    const before = performance.now();
    for (const pattern of [
      `${'*a'.repeat(200)}b`,
      `${'**/a/'.repeat(80)}b`,
      '{a,b}'.repeat(40),
      `${'{'.repeat(400)}*`,
    ]) {
      createNameFilter(pattern)(`${'a/'.repeat(500)}${'a'.repeat(250)}`);
    }
    expect(performance.now() - before).toBeLessThan(1000);
  });
});

describe('live output', () => {
  test('is batched, cleaned and bounded', async () => {
    const ambient = fakeAmbient();
    const sent: string[] = [];
    const live = createLiveOutput(ambient, (text) => sent.push(text));
    live.write('\u001b[3');
    live.write('1mred\r\n');
    expect(sent).toEqual([]);
    await ambient.advance(50);
    expect(sent).toEqual(['red\n']);
    live.write('x'.repeat(20_000));
    await ambient.advance(50);
    expect(sent[1]).toMatch(/x\n\[… 3616 characters not shown …\]\n$/);
    for (let index = 0; index < 200; index++) {
      live.write('y'.repeat(16_384));
      await ambient.advance(50);
    }
    expect(sent.join('').length).toBeLessThan(1_100_000);
    expect(sent.at(-1)).toContain('not shown live');
    live.end();
    live.write('late');
    await ambient.advance(50);
    expect(sent.at(-1)).toContain('not shown live');
  });

  test('marks the text with which it ends', async () => {
    const ambient = fakeAmbient();
    const sent: [string, boolean][] = [];
    const live = createLiveOutput(ambient, (text, isLast) => sent.push([text, isLast]));
    live.write('one\n');
    await ambient.advance(50);
    live.write('two\n');
    live.end();
    expect(sent).toEqual([
      ['one\n', false],
      ['two\n', true],
    ]);
  });
});
