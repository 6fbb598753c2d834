import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { setStartAtLogin } from './autostart.ts';

test('writes and removes the autostart file', async () => {
  await using dir = await tempDir();
  const needs = {
    platform: 'linux' as const,
    environment: {},
    home: dir.path,
    command: ['/opt/my node', '/x/100%/a"b$c\\d', 'app', '--data-dir', '/my\ndata'],
  };
  const file = await setStartAtLogin(needs, true);
  expect(file).toBe(join(dir.path, '.config/autostart/fucina.desktop'));
  const text = await readFile(file, 'utf8');
  expect(text).toContain(String.raw`Exec="/opt/my node" "/x/100%%/a\\"b\\$c\\\\d" "app" "--data-dir" "/my\ndata"`);
  await setStartAtLogin(needs, false);
  await setStartAtLogin(needs, false);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('describes an agent of launchd on macOS and a command of the Startup folder on Windows', async () => {
  await using dir = await tempDir();
  const needs = {
    environment: { PATH: '/opt/a&b' },
    home: dir.path,
    command: ['/opt/node', '/x/100%/main.js', 'D:\\'],
  };
  const agent = await setStartAtLogin({ ...needs, platform: 'darwin' }, true);
  expect(agent).toBe(join(dir.path, 'Library/LaunchAgents/local.fucina.app.plist'));
  const text = await readFile(agent, 'utf8');
  expect(text).toContain('<string>/opt/a&amp;b</string>');
  expect(text).toMatch(/<key>RunAtLoad<\/key>\n\s+<true\/>/);
  const command = await setStartAtLogin({ ...needs, platform: 'win32' }, true);
  expect(command).toContain('Start Menu/Programs/Startup/Fucina.cmd');
  expect(await readFile(command, 'utf8')).toBe('@start "Fucina" /min "/opt/node" "/x/100%%/main.js" "D:\\\\"\r\n');
});
