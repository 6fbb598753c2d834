import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPEN_TO_ALL, type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { computer, until } from './computer.ts';
import { openDisplay } from './display.ts';
import { commandModel, firstAnswer, pathWithoutNode } from './first-answer.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const NOBODY = 65_534;
const isInstalled = () => spawnSync('dpkg-query', ['--status', 'fucina'], { stdio: 'ignore' }).status === 0;
/** It installs a package on this computer, and removes it: never where one is installed. */
const isPossible = process.platform === 'linux' && process.getuid?.() === 0 && !isInstalled();
if (!isPossible) process.stderr.write('Debian package not tested: it needs root, dpkg, and no installed Fucina\n');
const onDebian = isPossible ? test : test.skip;

let place: TempDir;
let current: string;
let older: string;

// Assembles a package, which blocks this process.
beforeAll(async () => {
  if (!isPossible) return;
  place = await tempDir('fucina-', OPEN_TO_ALL);
  const args = [join(ROOT, 'scripts/pack-deb.mjs'), '--compression', 'none', place.path];
  current = execFileSync('node', args, { encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  older = join(place.path, 'older.deb');
  const unpacked = join(place.path, 'unpacked');
  execFileSync('dpkg-deb', ['--raw-extract', current, unpacked]);
  const control = join(unpacked, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*/m, 'Version: 0.0.1'));
  execFileSync('dpkg-deb', ['-Znone', '--build', unpacked, older], { stdio: 'ignore' });
}, 240_000);
afterAll(async () => {
  if (!isPossible) return;
  if (isInstalled()) execFileSync('dpkg', ['--purge', 'fucina'], { stdio: 'ignore' });
  await place[Symbol.asyncDispose]();
});

const dpkg = (...args: string[]) => execFileSync('dpkg', args, { stdio: ['ignore', 'ignore', 'inherit'] });
const version = () => execFileSync('dpkg-query', ['--show', '--showformat=${Version}', 'fucina'], { encoding: 'utf8' });

onDebian('opens for an ordinary user without Node, is upgraded, removed and purged; the data stays', async () => {
  await using display = await openDisplay();
  await using model = await commandModel();
  const home = join(place.path, 'home');
  for (const folder of [home, join(home, 'project')]) {
    mkdirSync(folder);
    chownSync(folder, NOBODY, NOBODY);
  }
  chmodSync(place.path, 0o755);
  dpkg('--install', older);
  expect(version()).toBe('0.0.1');
  const user = { uid: NOBODY, gid: NOBODY };
  const path = pathWithoutNode(place.path);
  const here = computer({ home, display: display.name, path, command: ['/usr/bin/fucina'], user });
  const { fucina, dataDir } = here;

  const app = fucina('app', '--foreground');
  await until(() => display.windowId());
  const { sessionId, text } = await firstAnswer(here, { model, project: join(home, 'project') });
  expect(text).toContain('from 42');
  display.shot('debian-package');
  app.kill('SIGTERM');
  expect(await once(app, 'exit')).toEqual([0, null]);

  dpkg('--install', current);
  expect(version()).not.toBe('0.0.1');
  const options = { env: { HOME: home, PATH: path, FUCINA_DATA_DIR: dataDir }, encoding: 'utf8', ...user } as const;
  expect(execFileSync('/usr/bin/fucina', ['sessions', '--json'], options)).toContain(sessionId);
  expect(execFileSync('man', ['--where', 'fucina'], { encoding: 'utf8' })).toContain('/fucina.1.gz');

  const installed = execFileSync('dpkg-query', ['--listfiles', 'fucina'], { encoding: 'utf8' }).split('\n');
  const own = installed.filter((file) => file.includes('fucina'));
  dpkg('--remove', 'fucina');
  dpkg('--purge', 'fucina');
  expect(own.filter((file) => existsSync(file))).toEqual([]);
  expect(existsSync(join(dataDir, 'sessions.db'))).toBe(true);
});

onDebian('passes lintian and describes itself as desktops expect', () => {
  const unpacked = join(place.path, 'unpacked/usr/share');
  const unsaid = 'uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball';
  const lintian = spawnSync('lintian', ['--fail-on', 'error,warning', '--suppress-tags', unsaid, current], {
    encoding: 'utf8',
  });
  expect(lintian).toMatchObject({ status: 0, stdout: '' });
  const valid = spawnSync('appstreamcli', ['validate', '--no-net', join(unpacked, 'metainfo/fucina.metainfo.xml')], {
    encoding: 'utf8',
  });
  expect(valid).toMatchObject({ status: 0 });
  expect(readFileSync(join(unpacked, 'applications/fucina.desktop'), 'utf8')).toContain('x-scheme-handler/fucina');
});
