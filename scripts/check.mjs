// All checks before a change is submitted: types, lint, boundaries, generated files, docs paths, words, tests.
import { spawnSync } from 'node:child_process';
import { quietEnv, root } from './lib.mjs';

const STEPS = [
  ['types', 'turbo', ['run', 'typecheck', '--output-logs=errors-only']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'biome', ['check', '.']],
  ['boundaries', 'turbo', ['boundaries']],
  ['doors', process.execPath, ['scripts/check-doors.mjs']],
  ['workspace', 'sherif', ['-i', 'typescript']],
  ['dead code', 'knip', []],
  ['docs', process.execPath, ['scripts/check-docs.mjs']],
  ['generated files', process.execPath, ['scripts/gen.mjs', '--check']],
  ['openapi', process.execPath, ['scripts/check-openapi.mjs']],
  ['words', process.execPath, ['scripts/check-words.mjs']],
  ['tests', process.execPath, ['scripts/test.mjs']],
];

const only = process.argv[2];
for (const step of STEPS) {
  const name = String(step[0]);
  const command = String(step[1]);
  const args = /** @type {string[]} */ (step[2]);
  if (only && only !== name) continue;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: quietEnv,
    encoding: 'utf8',
    shell: process.platform === 'win32' && command !== process.execPath,
    maxBuffer: 64 * 1024 * 1024,
  });
  const isGreen = status === 0;
  console.log(`${isGreen ? 'ok  ' : 'FAIL'} ${name}`);
  if (isGreen && name === 'tests') console.log(`     ${stdout.trim().split('\n').at(-1)}`);
  if (isGreen) continue;
  process.stdout.write(`${stdout ?? ''}${stderr ?? ''}`);
  process.exit(1);
}
