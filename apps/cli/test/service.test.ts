import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { launchd } from '../src/commands/service/launchd.ts';
import { unitText } from '../src/commands/service/systemd.ts';
import { isTemporary } from '../src/own-command.ts';
import { MAIN, start } from './binary.ts';

const ANALYZE = '/usr/bin/systemd-analyze';
const onSystemd = process.platform === 'linux' ? test : test.skip;

/** A computer whose `systemctl` and `journalctl` note their arguments: systemd itself does not run in containers. */
async function computer() {
  const dir = await tempDir();
  const note = '#!/bin/sh\necho "$(basename "$0") $*" >> "$HOME/calls"\n';
  await dir.write({
    'bin/systemctl': `${note}[ "$2" = is-active ] && echo active\n[ ! -e "$HOME/broken" ] || { echo 'no bus' >&2; exit 1; }\n`,
    'bin/journalctl': `${note}echo 'a line of the log'\n`,
  });
  for (const name of ['systemctl', 'journalctl']) chmodSync(join(dir.path, 'bin', name), 0o755);
  const env = { HOME: dir.path, PATH: `${join(dir.path, 'bin')}:${process.env.PATH}`, FUCINA_KEY_STORE: 'memory' };
  return {
    dir,
    env,
    unit: join(dir.path, '.config/systemd/user/fucina.service'),
    calls: () => readFileSync(join(dir.path, 'calls'), 'utf8').trim().split('\n'),
    async service(...args: string[]) {
      await using running = start(['service', ...args], { env, cwd: dir.path });
      const { code } = await running.ended;
      return { code, ...running.seen };
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

onSystemd('installs a unit that systemd accepts and whose command starts the server', async () => {
  await using here = await computer();
  const { unit, service, calls, env } = here;
  expect(await service('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('not installed') });
  expect(await service('install')).toMatchObject({ code: 0, stdout: expect.stringContaining(unit) });
  expect(calls()).toEqual([
    'systemctl --user daemon-reload',
    'systemctl --user enable fucina.service',
    'systemctl --user restart fucina.service',
  ]);
  if (existsSync(ANALYZE) || process.env.FUCINA_TEST_REQUIRE === '1') {
    execFileSync(ANALYZE, ['--user', 'verify', unit], {
      env: { ...process.env, ...env, XDG_RUNTIME_DIR: here.dir.path },
    });
  }
  const line = /^ExecStart=(.*)$/m.exec(readFileSync(unit, 'utf8'))?.[1] ?? '';
  const [program = '', ...args] = [...line.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);
  const server = spawn(program, [...args, '--port', '0'], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  server.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const [ready] = (await once(server.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(ready.toString()) as { url: string };
  const { code, stdout } = await service('status', '--json');
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, isInstalled: true, state: 'active', url });
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
  expect(log).not.toContain('token=');
});

onSystemd('installs a service with the data folder and the key store of the call or the environment', async () => {
  await using here = await computer();
  const { unit, service, dir } = here;
  const place = () => /"--data-dir".*$/m.exec(readFileSync(unit, 'utf8'))?.[0];
  await service('install', '--data-dir', 'my 100% $data', '--key-store', 'system');
  expect(place()).toBe(`"--data-dir" "${dir.path}/my 100%% $$data" "--key-store" "system"`);
  await service('install');
  expect(place()).toBe(`"--data-dir" "${dir.path}/.local/share/fucina" "--key-store" "memory"`);
});

onSystemd('shows the log, stops, starts and uninstalls', async () => {
  await using here = await computer();
  const { unit, service, calls } = here;
  for (const command of ['log', 'stop', 'start', 'uninstall']) expect((await service(command)).code).toBe(1);
  await service('install');
  expect(await service('log')).toMatchObject({ code: 0, stdout: 'a line of the log\n' });
  expect((await service('stop')).code).toBe(0);
  expect((await service('start')).code).toBe(0);
  expect((await service('uninstall')).code).toBe(0);
  expect(existsSync(unit)).toBe(false);
  expect(calls().slice(3)).toEqual([
    'journalctl --user --unit=fucina.service --lines=100 --no-pager',
    'systemctl --user stop fucina.service',
    'systemctl --user start fucina.service',
    'systemctl --user disable --now fucina.service',
  ]);
});

onSystemd('keeps the unit and reports the failure when systemd does not answer', async () => {
  await using here = await computer();
  await here.dir.write({ broken: '' });
  const { code, stdout, stderr } = await here.service('install');
  expect({ code, isThere: existsSync(here.unit) }).toEqual({ code: 1, isThere: true });
  expect(stdout).toContain('was not started');
  expect(stderr).toMatch(/no bus\n.*systemctl --user daemon-reload/);
});

onSystemd('refuses to install what runs from the cache of npx', async () => {
  await using here = await computer();
  const main = join(here.dir.path, '.npm/_npx/1a/node_modules/.bin/fucina');
  mkdirSync(dirname(main), { recursive: true });
  symlinkSync(MAIN, main);
  for (const args of [
    ['service', 'install'],
    ['app', '--start-at-login', 'on'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { env: here.env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 78, stderr: expect.stringContaining('npm install --global') });
    expect(stderr).toContain(main);
  }
  expect(existsSync(join(here.dir.path, '.config'))).toBe(false);
});

test('knows the places whose files are deleted', () => {
  const temporary = [
    '/home/ada/.npm/_npx/1a/node_modules/fucina/x.js',
    '/home/ada/.cache/pnpm/dlx/ab/node_modules/fucina/x.js',
    '/tmp/x/fucina.js',
    '/private/var/folders/1/T/x.js',
    'C:\\Users\\Ada\\AppData\\Local\\Temp\\x.js',
  ];
  expect(temporary.filter((path) => !isTemporary(path, false))).toEqual([]);
  expect(isTemporary('/tmp/fucina/apps/cli/dist/main.js', true)).toBe(false);
  expect(isTemporary('/usr/lib/node_modules/fucina/bin/fucina.cjs', false)).toBe(false);
});

test('writes a folder with a line break in its name on one line of the unit', () => {
  expect(unitText(['/opt/node', '--data-dir', '/my\ndata'], undefined)).toContain(
    String.raw`ExecStart="/opt/node" "--data-dir" "/my\ndata"`,
  );
});

test('describes an agent of launchd', () => {
  const { file, text, commands } = launchd({
    env: { PATH: '/usr/bin:/a&b' },
    home: '/Users/me',
    uid: 501,
    command: ['/opt/node', '/x/<main>.js', 'serve'],
  });
  expect(file).toBe('/Users/me/Library/LaunchAgents/fucina.plist');
  expect(text).toContain('<string>/x/&lt;main&gt;.js</string>');
  expect(text).toContain('<string>/usr/bin:/a&amp;b</string>');
  expect(commands.stop).toEqual([['launchctl', 'bootout', 'gui/501/fucina']]);
});
