// The suites of minutes (`npm run test:long`), one after the other: which hold, and how long they took. Only when asked for:
// a run of the figures does not wait for them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietEnv, root } from '../scripts/lib.mjs';
import { tempFolder } from './lib.mjs';

export async function run() {
  const folder = tempFolder();
  const report = join(folder.path, 'report.json');
  spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/jest/bin/jest.js'),
      '--config',
      join(root, 'jest.all.config.mjs'),
      '--runInBand',
      '--json',
      `--outputFile=${report}`,
      String.raw`\.long\.test\.ts$`,
    ],
    { cwd: root, env: { ...quietEnv, FUCINA_TEST_LONG: '1' }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  folder.remove();
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status, duration }) => ({
      figure: title,
      value: `${status}, ${Math.round((duration ?? 0) / 1_000)} s`,
      bar: 'passed',
      method: '`npm run test:long`',
    })),
  );
}
