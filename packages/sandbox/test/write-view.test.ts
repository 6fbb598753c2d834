import { execFileSync } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { bundleProgram, OPEN_TO_ALL, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createWriteView, ViewRefused } from '../src/write-view/write-view.ts';
import type { ScriptRun } from './write-view/run-scripts.ts';

/** An unprivileged user, when the tests run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const USERS = isRoot
  ? [
      { name: 'root', uid: 0 },
      { name: 'an ordinary user', uid: NOBODY },
    ]
  : [{ name: 'this user', uid: process.getuid?.() ?? 0 }];

let place: string;
beforeAll(async () => {
  place = await realpath(await mkdtemp(join(OPEN_TO_ALL, 'fucina-view-')));
  await chmod(place, 0o755);
  const program = join(import.meta.dirname, 'write-view/run-scripts.ts');
  await bundleProgram({ file: program }, join(place, 'run-scripts.mjs'));
  await copyFile(process.execPath, join(place, 'node'));
  await chmod(join(place, 'node'), 0o755);
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** With a project, a home that has settings of ssh and gpg, and a folder for sockets. */
async function runAs(uid: number, runs: readonly ScriptRun[]): Promise<string[]> {
  const base = await mkdtemp(join(place, 'base-'));
  const folders = ['', 'project', 'project/kept', 'home', 'home/.ssh', 'home/.config', 'home/.config/git', 'run'];
  for (const name of folders) await mkdir(join(base, name), { recursive: true });
  const files = {
    'project/kept/a': 'a\n',
    'home/.ssh/authorized_keys': 'mine\n',
    'home/.ssh/config': `Include ${base}/shared-*.conf\n`,
    'home/.config/git/config': '',
    'home/.bashrc': 'mine\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(base, name), text);
  for (const name of [...folders, ...Object.keys(files)]) if (isRoot) await chown(join(base, name), uid, uid);
  // As settings of the whole system do, it belongs to root.
  await writeFile(join(base, 'shared-one.conf'), 'Host forge.invalid\n  User smith\n');
  // The folder of a test run is closed to other users.
  const env = { ...process.env, TMPDIR: '/tmp' };
  const options = { cwd: '/', encoding: 'utf8', env, ...(isRoot && { uid, gid: uid }) } as const;
  const argv = [join(place, 'run-scripts.mjs'), base, JSON.stringify(runs)];
  return JSON.parse(execFileSync(join(place, 'node'), argv, options));
}

/** `yes` for each path that can be written; of `/tmp`, whether a file can be made in it. */
const writes = (...paths: string[]): string =>
  paths
    .map((path) => `(${path === '/tmp' ? 'rm "$(mktemp)"' : `true >> ${path}`}) 2>/dev/null && echo yes || echo no`)
    .join(';');
const PATHS = ['a', 'kept/a', 'kept/b', '../b', '../home/.bashrc', '../home/.profile', '/tmp'];

describe.each(USERS)('a program of $name in a view', ({ uid }) => {
  test('writes the given places, and nothing else', async () => {
    const [plain] = await runAs(uid, [{ script: writes(...PATHS, '../home/.ssh/known_hosts'), starts: 'nothing' }]);
    expect(plain?.split('\n')).toEqual(['yes', 'no', 'no', 'no', 'no', 'no', 'no', 'no']);
  });

  test('writes temporary files if it starts programs', async () => {
    const [some] = await runAs(uid, [{ script: writes(...PATHS, '../home/.ssh/known_hosts'), starts: 'programs' }]);
    expect(some?.split('\n')).toEqual(['yes', 'no', 'no', 'no', 'no', 'no', 'yes', 'no']);
  });

  test('writes what helpers keep, but not who may enter and what runs', async () => {
    const home = ['.ssh/known_hosts', '.ssh/authorized_keys', '.ssh/config', '.config/git/credentials'];
    const paths = [...home, '.config/git/config', '.bashrc'].map((name) => `../home/${name}`);
    const [all] = await runAs(uid, [{ script: writes(...paths, '../run/socket', '../b'), starts: 'helpers' }]);
    expect(all?.split('\n')).toEqual(['yes', 'no', 'no', 'yes', 'no', 'no', 'yes', 'no']);
  });

  test('has settings of ssh that belong to root', async () => {
    const script = 'ssh -F ../home/.ssh/config -G forge.invalid 2>&1 | grep -E "^user |Bad owner"';
    expect(await runAs(uid, [{ script, starts: 'helpers' }])).toEqual(['user smith']);
  });

  test('has devices, and the processes and network of this computer', async () => {
    const script = `echo x >/dev/null && kill -0 ${process.ppid} 2>&1 | grep -v 'No such process'; readlink /proc/self/ns/net`;
    const net = execFileSync('readlink', ['/proc/self/ns/net'], { encoding: 'utf8' }).trim();
    const [shown] = await runAs(uid, [{ script, starts: 'nothing' }]);
    expect(shown).toContain(net);
  });
});

describe('a view whose places are replaced by links', () => {
  const ambient = systemAmbient('silent');
  const view = createWriteView({ ambient, environment: process.env });
  const placesOf = (folder: string) => ({ folder, writable: [folder], unchanged: [], starts: 'nothing' as const });

  test('is refused before its start', async () => {
    await using dir = await tempDir('fucina-view-', OPEN_TO_ALL);
    await dir.write({ 'other/a': 'a' });
    await symlink('other', join(dir.path, 'project'));
    await expect(view.open(placesOf(join(dir.path, 'project')))).rejects.toThrow(ViewRefused);
  });

  test('starts nothing if that happens meanwhile', async () => {
    await using dir = await tempDir('fucina-view-', OPEN_TO_ALL);
    await dir.write({ 'other/a': 'a', 'project/a': 'a' });
    const folder = join(dir.path, 'project');
    const open = await view.open(placesOf(folder));
    await rename(folder, `${folder}-before`);
    await symlink('other', folder);
    const argv = [open?.program ?? '', ...(open?.args ?? []), '/bin/sh', '-c', ': > ran'] as const;
    const { ending, problem } = await runProcess({
      ambient,
      environment: process.env,
      argv,
      cwd: dir.path,
      admit: open?.admit,
    });
    expect([ending, problem, open?.wasAdmitted()]).toEqual(['not-started', 'ESTALE', false]);
    expect(await realpath(join(dir.path, 'other/ran')).catch(() => 'not there')).toBe('not there');
  });
});
