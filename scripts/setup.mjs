// Installs the pinned pnpm and the workspace. Does nothing when the lockfile was already installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const mark = join(root, 'node_modules', '.fucina-setup');

const inputs = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => readFileSync(join(root, file)));
const fingerprint = createHash('sha256').update(Buffer.concat(inputs)).update(process.version).digest('hex');
if (existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint) process.exit(0);

const env = { ...process.env, CI: process.env.CI ?? 'true', TURBO_TELEMETRY_DISABLED: '1' };
const nodeHome = resolve(process.execPath, '../..');
// node-gyp downloads headers unless it knows where this Node has its own.
if (!env.npm_config_nodedir && existsSync(join(nodeHome, 'include/node/node_version.h')))
  env.npm_config_nodedir = nodeHome;
env.npm_config_build_from_source ??= 'true';

console.error('fucina: installing the workspace (about a minute the first time)');
// Left by an installation that did not finish, it has no program yet, and npx would take it instead of the pinned one.
if (!existsSync(mark)) rmSync(join(root, 'node_modules/pnpm'), { recursive: true, force: true });
const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
const { status } = spawnSync(npx, ['--yes', packageManager, 'install', '--frozen-lockfile'], {
  cwd: root,
  env,
  // Standard output belongs to the calling command (the server's ready line, a test summary).
  stdio: ['ignore', 2, 2],
  shell: process.platform === 'win32',
});
if (status !== 0) {
  console.error('fucina: the installation failed, for the reason above. On Linux it needs python3, make and g++.');
  process.exit(status ?? 1);
}
if (!hasSqlite()) {
  console.error('fucina: SQLite could not be built here: Node before 22.14 needs python3, make and g++ for it.');
  process.exit(1);
}
writeFileSync(mark, fingerprint);

/** One of its two versions works with this Node; the installer only warns about a failed build. */
function hasSqlite() {
  const code = `const { readdirSync } = require('node:fs');
    new (require(readdirSync('node_modules').find((name) => name.startsWith('better-sqlite3'))))(':memory:')`;
  const cwd = join(root, 'packages/shared');
  return spawnSync(process.execPath, ['-e', code], { cwd, stdio: 'ignore' }).status === 0;
}
