import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { tempDir } from '../src/index.ts';

const script = (name: string): string => fileURLToPath(new URL(`../../../scripts/${name}`, import.meta.url));

const CONFIG = `export default {
  testMatch: [process.env.FUCINA_TEST_ONLY || '<rootDir>/*.test.cjs'],
  testEnvironment: ${JSON.stringify(script('jest/environment.mjs'))},
  testTimeout: 1000,
  transform: {},
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
};`;

/** Fails in the first run only: what it leaves beside itself says that there was one. */
const failsOnce = (mark: string): string => `
const { existsSync, writeFileSync } = require('node:fs');
const mark = ${JSON.stringify(mark)};
test('passes', () => {});
test('waits for an answer', () => {
  const isFirst = !existsSync(mark);
  writeFileSync(mark, '');
  if (isFirst) throw new Error('the answer came late');
});`;

const PASSES = "test('passes', () => {});";
const FAILS = "test('adds', () => expect(1).toBe(2));";
const NEVER_ENDS = "test('waits for ever', () => new Promise(() => {}));";
const BLOCKS = "test('loops for ever', () => { for (;;); });\ntest('passes', () => {});";

/** Runs the script over suites, by name, in a folder of their own. */
async function runScript(files: (path: string) => Record<string, string>, env: Record<string, string> = {}) {
  await using dir = await tempDir();
  const suites = Object.entries(files(dir.path)).map(([name, text]) => [`${name}.test.cjs`, text]);
  await dir.write({ ...Object.fromEntries(suites), 'jest.config.mjs': CONFIG });
  const args = [script('test.mjs'), '--config', join(dir.path, 'jest.config.mjs')];
  return await new Promise<{ code: number; lines: string[]; runs(name: string): number }>((done) => {
    const all = { ...process.env, CI: '', FUCINA_TEST_HANG_GRACE_MS: '1000', ...env };
    const child = execFile(process.execPath, args, { env: all }, (_, output, errors) => {
      const runs = (name: string) => errors.match(new RegExp(`^(PASS|FAIL) .*${name}\\.test`, 'gm'))?.length ?? 0;
      done({ code: child.exitCode ?? -1, lines: output.trim().split('\n'), runs });
    });
  });
}

test('names a suite that fails only in its first run as flaky and passes', async () => {
  const { code, lines, runs } = await runScript((path) => ({ once: failsOnce(join(path, 'mark')), other: PASSES }));
  expect(lines.slice(-2)).toEqual([
    'flaky: once.test.cjs › waits for an answer: Error: the answer came late',
    '3 passed, 0 failed',
  ]);
  expect(code).toBe(0);
  expect([runs('once'), runs('other')]).toEqual([2, 1]);
});

test('keeps both outputs of a flaky suite in a folder that its line names under CI', async () => {
  await using kept = await tempDir();
  const { lines } = await runScript((path) => ({ once: failsOnce(join(path, 'mark')) }), {
    CI: 'true',
    TMPDIR: kept.path,
  });
  const folder = /^flaky: .* \(outputs: (.+)\)$/.exec(lines.at(-2) ?? '')?.[1] ?? '';
  expect(readFileSync(join(folder, 'first.txt'), 'utf8')).toContain('the answer came late');
  expect(readFileSync(join(folder, 'second.txt'), 'utf8')).toMatch(/PASS .*once\.test\.cjs/);
});

test('fails when a suite fails twice, and counts it once', async () => {
  const { code, lines, runs } = await runScript(() => ({ bad: FAILS, other: PASSES }));
  expect(lines).toEqual(['1 passed, 1 failed']);
  expect(code).toBe(1);
  expect(runs('bad')).toBe(2);
});

test('runs eight failed suites once more, and nine not', async () => {
  const many = (count: number) => (path: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}x`, failsOnce(join(path, `mark${at}`))]));
  const eight = await runScript(many(8));
  expect(eight.lines.at(-1)).toBe('16 passed, 0 failed');
  const nine = await runScript(many(9));
  expect(nine.lines.at(-1)).toBe('9 passed, 9 failed');
  expect(nine.code).toBe(1);
});

test('fails a test that never ends, and one that blocks its process', async () => {
  const { code, lines } = await runScript(() => ({ waits: NEVER_ENDS, blocks: BLOCKS, other: PASSES }));
  expect(lines.at(-1)).toBe('1 passed, 2 failed');
  expect(code).toBe(1);
});

test('leaves no folder behind when nothing was flaky', async () => {
  await using kept = await tempDir();
  await runScript(() => ({ other: PASSES }), { CI: 'true', TMPDIR: kept.path });
  expect(readdirSync(kept.path)).toEqual([]);
});
