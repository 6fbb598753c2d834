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
import { compileFirstCalls } from './first-calls.ts';
import { withUsualFlags } from './v8-flags.ts';
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

/**
 * `most()`: the most MiB that the young generation has while objects survive in it, as V8 doubles them. From Node 24 on V8
 * has a few pages more while it collects.
 */
const GROWTH = `
import { getHeapSpaceStatistics } from 'node:v8';
import { limitYoungGeneration } from './young-generation.ts';
const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
const most = async () => {
  let most = 0;
  let kept = [];
  for (let round = 0; round < 60; round += 1) {
    kept = [...kept.slice(-40_000), ...Array.from({ length: 40_000 }, () => [round])];
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, young());
  }
  return 2 ** Math.floor(Math.log2(most / 2 ** 20));
};
`;

test('the young generation has 16 MiB at most once it is limited', () => {
  const [usual] = printedBy(`${GROWTH} console.log(await most());`);
  expect(Number(usual)).toBeGreaterThan(16);
  expect(printedBy(`${GROWTH} limitYoungGeneration(); console.log(await most());`)).toEqual(['16']);
});

test('a limited young generation that V8 made small grows again', () => {
  expect(
    printedBy(`${GROWTH}
      import { getHeapSnapshot } from 'node:v8';
      limitYoungGeneration();
      await most();
      // Before a snapshot V8 gives all memory back that it can do without, as it does in an idle process.
      getHeapSnapshot().destroy();
      console.log(young() < 2 ** 22);
      await new Promise((resolve) => setTimeout(resolve, 20));
      console.log(await most());
    `),
  ).toEqual(['true', '16']);
});

test('stored code is accepted while the young generation is limited', () => {
  const source = 'globalThis.one = () => 1';
  const [stored] = printedBy(`${PARTS}
    console.log(new Script(${JSON.stringify(source)}).createCachedData().toString('base64'));
  `);
  expect(
    printedBy(`${PARTS} ${GROWTH}
      const cachedData = Buffer.from(${JSON.stringify(stored)}, 'base64');
      const isRefused = () => new Script(${JSON.stringify(source)}, { cachedData }).cachedDataRejected;
      limitYoungGeneration();
      await most();
      console.log(isRefused(), withUsualFlags(isRefused));
    `),
  ).toEqual(['true false']);
});
