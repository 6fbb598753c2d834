import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { setStartAtLogin } from './autostart.ts';

test('writes and removes the autostart file', async () => {
  await using dir = await tempDir();
  const needs = { environment: {}, home: dir.path, command: ['/opt/my node', '/x/100%/a"b$c\\d', 'app'] };
  const file = await setStartAtLogin(needs, true);
  expect(file).toBe(join(dir.path, '.config/autostart/fucina.desktop'));
  const text = await readFile(file, 'utf8');
  expect(text).toContain(String.raw`Exec="/opt/my node" "/x/100%%/a\\"b\\$c\\\\d" "app"`);
  await setStartAtLogin(needs, false);
  await setStartAtLogin(needs, false);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});
