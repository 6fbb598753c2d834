// The tests of every package in one run: the short suites, with `--all` every suite, with `--rest` only those that a
// default run skips, with `--long` also those that take minutes. `--pictures` takes the compared pictures of the window
// anew. `--config FILE` runs another configuration of jest, and builds nothing. Other arguments are jest's. A few failed
// suites are run once more, alone: what then passes counts as passed and is named as flaky. The last line is `N passed,
// N failed`.
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { memoryFolder } from './jest/memory-folder.mjs';
import { runSuites } from './jest/run-suites.mjs';
import { LIMIT_SECONDS, longSuites, record } from './jest/suites.mjs';
import { build, quietEnv, root } from './lib.mjs';

const OWN = ['--all', '--rest', '--long', '--record', '--pictures'];
const has = (flag) => process.argv.includes(flag);
const set = has('--rest') ? 'rest' : has('--all') || has('--long') ? 'all' : 'short';
const at = process.argv.indexOf('--config');
const config = at < 0 ? join(root, 'jest.all.config.mjs') : resolve(process.argv[at + 1]);
const base = at < 0 ? root : dirname(config);
if (at < 0) build();

// Nothing in a test leaves this computer: its proxy has no part in it.
const direct = Object.fromEntries(Object.entries(quietEnv).filter(([name]) => !/^(https?|all|no)_proxy$/i.test(name)));

// One temporary folder for the whole run, so that nothing is left behind.
const folder = mkdtempSync(join(memoryFolder(), 'fucina-tests-'));
const { passed, failed, skipped, flaky, suites } = await runSuites({
  config,
  base,
  args: process.argv.slice(2).filter((argument, index) => !OWN.includes(argument) && !isConfig(index + 2)),
  folder,
  env: {
    ...direct,
    TMPDIR: folder,
    FUCINA_TEST_SET: set,
    ...(has('--long') && { FUCINA_TEST_LONG: '1' }),
    ...(has('--pictures') && { FUCINA_UPDATE_PICTURES: '1' }),
  },
});
rmSync(folder, { recursive: true, force: true });

if (has('--record')) record(secondsOf(suites));
if (set === 'short' && at < 0) {
  const kinds = 'window walks, faults, races, crashes, real engines';
  console.log(
    `Not included: ${longSuites.length} suites of more than ${LIMIT_SECONDS} s (${kinds}). Run them with: npm run test:all`,
  );
}
for (const line of flaky) console.log(line);
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;

function isConfig(index) {
  return at >= 0 && (index === at || index === at + 1);
}

function secondsOf(testResults) {
  return Object.fromEntries(
    testResults.map(({ name, startTime, endTime }) => [
      relative(root, name).replaceAll('\\', '/'),
      Math.round((endTime - startTime) / 1_000),
    ]),
  );
}
