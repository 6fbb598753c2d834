import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { contextOf, run } from '../../test/run-tool.ts';
import { outputExcerpt } from './output-excerpt.ts';

const lines = (count: number, word: string): string[] =>
  Array.from({ length: count }, (_, index) => `  ✓ ${word} ${index + 1} holds what it promises (1 ms)`);
const FAILING = ['  ✕ adds two numbers', '    Expected: 3', '    Received: 4', '      at sum.test.ts:12'];
const output = [...lines(400, 'first'), ...FAILING, ...lines(400, 'second'), 'Tests: 1 failed, 800 passed'].join('\n');

test('keeps the failing part in the middle of a long output, its start and its end', () => {
  const { text, isCut } = outputExcerpt(output, 16_000);
  expect([isCut, text.length <= 16_000]).toEqual([true, true]);
  expect(text).toContain(`first 400 holds what it promises (1 ms)\n${FAILING.join('\n')}\n`);
  expect(text).toMatch(/^ {2}✓ first 1 [^]*\n\[… \d+ lines cut …\]\n[^]*Tests: 1 failed, 800 passed$/);
  const cut = [...text.matchAll(/\[… (\d+) lines cut …\]/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(cut + text.split('\n').filter((line) => !line.startsWith('[…')).length).toBe(805);
});

test('counts of no failures are no failing part', () => {
  const quiet = output.replace(FAILING.join('\n'), '0 errors, 0 failed, no failures').replace('1 failed', '0 failed');
  expect(outputExcerpt(quiet, 16_000).text).not.toContain('0 errors');
});

test('an output of failures alone stays within its limit', () => {
  const failures = Array.from({ length: 5_000 }, (_, index) => `error ${index}: ${'x'.repeat(index % 900)}`).join('\n');
  expect(outputExcerpt(failures, 16_000).text.length).toBeLessThanOrEqual(16_000);
  expect(outputExcerpt('short error', 16_000)).toEqual({ text: 'short error', isCut: false });
});

test('a command with a failing test in the middle shows it, and its whole output can be searched', async () => {
  await using dir = await tempDir();
  await dir.write({ 'out.txt': output });
  const context = contextOf(dir.path, { toolCallId: 'long-output' });
  const { content } = await run('shell', { comando: 'cat out.txt; exit 1' }, context);
  expect(content).toContain('Received: 4');
  expect(content).toContain('tool for background commands: id long-output]');
  const found = await run('processi', { azione: 'leggi', id: 'long-output', testo: 'SECOND 7 ' }, contextOf(dir.path));
  expect(found.content).toContain('[1 line with it]\n  410\t');
  expect(found.content).toContain('  411\t  ✓ second 7 holds');
});
