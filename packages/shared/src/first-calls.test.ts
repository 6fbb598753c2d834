import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/** In a process of its own: the flags of V8 are the process's. */
function printedBy(script: string): string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--allow-natives-syntax', '--import', 'tsx', '--input-type', 'module', '--eval', script],
    { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

const PARTS = `
import { Script } from 'node:vm';
import { compileFirstCalls, withUsualFlags } from './first-calls.ts';
const isCompiled = (called) => { called(); return %ActiveTierIsSparkplug(called) };
`;

test('a function is compiled at its first call, once that is asked for', () => {
  expect(
    printedBy(`${PARTS}
      console.log(isCompiled(() => 1));
      compileFirstCalls();
      console.log(isCompiled(() => 2));
    `),
  ).toEqual(['false', 'true']);
});

test('code that another process stored is accepted, and first calls are compiled after it', () => {
  const sources = ['globalThis.one = () => 1', 'globalThis.two = () => 2'];
  const stored = printedBy(`${PARTS}
    compileFirstCalls();
    for (const source of ${JSON.stringify(sources)})
      console.log(withUsualFlags(() => new Script(source).createCachedData()).toString('base64'));
  `);
  expect(
    printedBy(`${PARTS}
      const [one, two] = ${JSON.stringify(sources.map((source, index) => [source, stored[index]]))};
      const isRefused = ([source, code]) =>
        new Script(source, { cachedData: Buffer.from(code, 'base64') }).cachedDataRejected;
      compileFirstCalls();
      console.log(withUsualFlags(() => isRefused(one)), isRefused(two), isCompiled(() => 3));
    `),
  ).toEqual(['false true true']);
});

test('first calls are compiled again after a script that cannot be read', () => {
  expect(
    printedBy(`${PARTS}
      compileFirstCalls();
      try { withUsualFlags(() => new Script('(')); } catch { console.log(isCompiled(() => 4)); }
    `),
  ).toEqual(['true']);
});
