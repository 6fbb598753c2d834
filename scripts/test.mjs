// The tests of every package in one run: the short suites, with `--all` every suite, with `--rest` only those that a
// default run skips, with `--long` also those that take minutes. `--pictures` takes the compared pictures of the window
// anew. Other arguments are jest's. The last line is `N
// passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { memoryFolder } from './jest/memory-folder.mjs';
import { LIMIT_SECONDS, longSuites, record } from './jest/suites.mjs';
import { build, quietEnv, root } from './lib.mjs';

const OWN = ['--all', '--rest', '--long', '--record', '--pictures'];
const has = (flag) => process.argv.includes(flag);
const set = has('--rest') ? 'rest' : has('--all') || has('--long') ? 'all' : 'short';
build();

// Nothing in a test leaves this computer: its proxy has no part in it.
const direct = Object.fromEntries(Object.entries(quietEnv).filter(([name]) => !/^(https?|all|no)_proxy$/i.test(name)));

// One temporary folder for the whole run, so that nothing is left behind.
const folder = mkdtempSync(join(memoryFolder(), 'fucina-tests-'));
const report = join(folder, 'report.json');
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    join(root, 'jest.all.config.mjs'),
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2).filter((argument) => !OWN.includes(argument)),
  ],
  {
    cwd: root,
    env: {
      ...direct,
      TMPDIR: folder,
      FUCINA_TEST_SET: set,
      ...(has('--long') && { FUCINA_TEST_LONG: '1' }),
      ...(has('--pictures') && { FUCINA_UPDATE_PICTURES: '1' }),
    },
    // Jest prints its progress on standard error; --json would print the whole report on standard output.
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);

const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
rmSync(folder, { recursive: true, force: true });
if (has('--record') && results) record(secondsOf(results));
if (set === 'short') {
  const kinds = 'window walks, faults, races, crashes, real engines';
  console.log(
    `Not included: ${longSuites.length} suites of more than ${LIMIT_SECONDS} s (${kinds}). Run them with: npm run test:all`,
  );
}
const failed = (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0);
const skipped = results?.numPendingTests ?? 0;
console.log(
  `${results?.numPassedTests ?? 0} passed, ${failed || (status === 0 ? 0 : 1)} failed${skipped ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = status ?? 1;

function secondsOf({ testResults }) {
  return Object.fromEntries(
    testResults.map(({ name, startTime, endTime }) => [
      relative(root, name).replaceAll('\\', '/'),
      Math.round((endTime - startTime) / 1_000),
    ]),
  );
}
