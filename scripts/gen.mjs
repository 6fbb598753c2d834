// Writes all generated files that are committed; with --check it compares and fails instead.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { quietEnv, root } from './lib.mjs';

const isCheck = process.argv.includes('--check');
let isStale = false;

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, env: quietEnv, stdio: 'inherit' });
  if (status !== 0) isStale = true;
}

for (const script of ['apps/server/src/generate.ts', 'scripts/gen-errors.mjs', 'scripts/gen-states.mjs']) {
  const args = ['--conditions=@fucina/source', join(root, script), ...(isCheck ? ['--check'] : [])];
  run(join(root, 'node_modules/.bin/tsx'), args);
}

process.exitCode = isStale ? 1 : 0;
