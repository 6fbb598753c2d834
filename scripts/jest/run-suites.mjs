// One run of jest over a configuration, and a second look at the few suites that failed in it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../lib.mjs';
import { JEST } from './program.mjs';

/** With more failed suites than this something is broken: running them again would say nothing. */
const SECOND_LOOK_SUITES = 8;

/**
 * Runs every suite of `config`, then each failed one once more, alone, if at most eight failed. `base` is the folder
 * that the suites are named from.
 *
 * @returns {Promise<{ passed: number, failed: number, skipped: number, flaky: string[], suites: object[] }>} the last
 * result of each suite counts, so that one that was run twice is counted once; `flaky` has a line for each test that
 * failed and then passed; `suites` are jest's records.
 */
export async function runSuites({ config, args = [], env, folder, base = root }) {
  const run = (only) => runJest({ config, args, folder, env: only ? { ...env, FUCINA_TEST_ONLY: only } : env });
  const first = await run();
  if (first.suites.length === 0) return { ...counts([]), failed: first.status === 0 ? 0 : 1, flaky: [], suites: [] };
  const failed = first.suites.filter(isFailed);
  const again = failed.length > SECOND_LOOK_SUITES ? [] : failed;
  const last = new Map(first.suites.map((suite) => [suite.name, suite]));
  const flaky = [];
  for (const suite of again) {
    console.error(`\nOnce more, alone: ${relative(base, suite.name)}`);
    const second = await run(suite.name);
    const result = second.suites.find(({ name }) => name === suite.name);
    if (result === undefined || isFailed(result)) continue;
    last.set(suite.name, result);
    const kept = process.env.CI ? ` (outputs: ${keep(suite, second.output)})` : '';
    flaky.push(...failuresOf(suite).map((line) => `flaky: ${relative(base, suite.name)} › ${line}${kept}`));
  }
  const suites = [...last.values()];
  const sum = counts(suites);
  // Jest failed without a failed suite: its own set-up, or a limit of the coverage.
  if (first.status !== 0 && failed.length === 0) sum.failed += 1;
  return { ...sum, flaky, suites };
}

/** A suite without a failed test can fail, too: it could not be loaded, or its process was killed. */
const isFailed = ({ status }) => status === 'failed';

function runJest({ config, args, env, folder }) {
  const report = join(mkdtempSync(join(folder, 'run-')), 'report.json');
  const jest = [
    ...JEST,
    '--config',
    config,
    '--json',
    `--outputFile=${report}`,
    ...(env.FUCINA_TEST_ONLY ? ['--maxWorkers=1'] : []),
    ...args,
  ];
  // Jest prints its progress on standard error; --json would print the whole report on standard output.
  const child = spawn(process.execPath, jest, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const output = [];
  child.stderr.on('data', (piece) => {
    process.stderr.write(piece);
    if (env.FUCINA_TEST_ONLY) output.push(piece);
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => {
      const suites = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
      done({ status, suites, output: Buffer.concat(output).toString() });
    });
  });
}

function counts(suites) {
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  const unloaded = suites.filter((suite) => isFailed(suite) && failedTests(suite).length === 0).length;
  return { passed: count('passed'), failed: count('failed') + unloaded, skipped: count('pending', 'todo', 'disabled') };
}

const failedTests = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed');

/** A line for each failed test: its title, and the first line of its message. */
function failuresOf(suite) {
  const failed = failedTests(suite).map(({ fullName, failureMessages }) => [fullName, failureMessages[0] ?? '']);
  const all = failed.length > 0 ? failed : [['the suite itself', suite.message]];
  return all.map(([title, message]) => `${title}: ${firstLine(message)}`);
}

function firstLine(message) {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('●')) ?? '';
}

/** Both outputs of a suite that failed and then passed; returns their folder, which outlives the run. */
function keep(suite, second) {
  const folder = mkdtempSync(join(tmpdir(), 'fucina-flaky-'));
  writeFileSync(join(folder, 'first.txt'), suite.message);
  writeFileSync(join(folder, 'second.txt'), second);
  return folder;
}
