// Every test of every package in one run. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, quietEnv, root } from './lib.mjs';

const isLong = process.argv.includes('--long');
build();

const folder = mkdtempSync(join(tmpdir(), 'fucina-tests-'));
const report = join(folder, 'report.json');
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    join(root, 'jest.all.config.mjs'),
    '--maxWorkers=2',
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2).filter((argument) => argument !== '--long'),
  ],
  {
    cwd: root,
    env: { ...quietEnv, ...(isLong && { FUCINA_TEST_LONG: '1' }) },
    // Jest prints its progress on standard error; --json would put the whole report on standard output.
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);

const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
rmSync(folder, { recursive: true, force: true });
const failed = (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0);
const skipped = results?.numPendingTests ?? 0;
console.log(
  `${results?.numPassedTests ?? 0} passed, ${failed || (status === 0 ? 0 : 1)} failed${skipped ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = status ?? 1;
