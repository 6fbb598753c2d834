import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '@fucina/shared';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

let computer: TestComputer;
beforeAll(async () => {
  computer = await testComputer(() => ({ text: 'Heard.' }));
});
afterAll(async () => computer[Symbol.asyncDispose]());

const backup = (...args: string[]) => computer.run(['backup', ...args]);

test('a backup moves sessions and notes to another computer', async () => {
  await computer.run(['notes', 'add', 'Herons', 'They fish.']);
  await computer.go();
  expect(await backup('create', 'mine.tar.gz')).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/mine\.tar\.gz: \d+ files, \d+ kB\. Keys are not in it\.\n$/),
  });
  expect(await backup('verify', 'mine.tar.gz')).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/^The backup is intact: \d+ files of 2/),
  });
  await using other = await testComputer(() => ({ text: 'Heard.' }));
  const restored = await other.run(['backup', 'restore', join(computer.project.path, 'mine.tar.gz')]);
  expect(restored).toMatchObject({ exit: 0, stdout: expect.stringMatching(/Restored \d+ files.*before.*Keys/s) });
  expect((await other.run(['notes'])).stdout).toContain('Herons');
  expect((await other.run(['sessions'])).stdout).toContain('go');
  const { exit, stdout } = await other.run(['doctor', '--json']);
  expect([exit, stdout]).toEqual([0, expect.stringContaining('"state"')]);
});

test('explains what it cannot do, and changes nothing', async () => {
  await backup('create', 'first.tar.gz');
  expect(await backup('create', 'first.tar.gz')).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('exists. Choose another name.'),
  });
  expect(await backup('verify', 'none.tar.gz')).toMatchObject({
    exit: 2,
    stderr: 'fucina: There is no such file.\n',
  });
  const file = join(computer.project.path, 'first.tar.gz');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0, Math.floor(bytes.length / 2)));
  expect(await backup('verify', 'first.tar.gz')).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('The backup is damaged.'),
  });
  expect((await backup('restore', 'first.tar.gz')).exit).toBe(1);
  rmSync(file);
  await backup('create', 'first.tar.gz');
  const lock = tryLock(join(computer.dataDir, 'locks', 'server'));
  expect(await backup('restore', 'first.tar.gz')).toMatchObject({
    exit: 75,
    stderr: expect.stringContaining('Fucina is running on this data.'),
  });
  lock?.release();
});

test('prints JSON', async () => {
  const { stdout } = await backup('create', 'json.tar.gz', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ hasModels: false, path: join(computer.project.path, 'json.tar.gz') });
  expect(JSON.parse((await backup('verify', 'json.tar.gz', '--json')).stdout)).toMatchObject({ hasModels: false });
});
