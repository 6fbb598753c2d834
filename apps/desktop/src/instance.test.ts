import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { becomeInstance, handOver } from './instance.ts';

const ambient = systemAmbient('silent');

test('a folder has one instance, which gets the requests of later starts in order', async () => {
  await using dir = await tempDir();
  const instance = await becomeInstance(dir.path);
  expect(instance).toBeDefined();
  expect(await becomeInstance(dir.path)).toBeUndefined();
  const ending = new AbortController();
  const early = handOver(ambient, dir.path, '/?folder=early');
  const seen: string[] = [];
  const served = (async () => {
    for await (const path of instance!.requests(ending.signal)) seen.push(path);
  })();
  expect(await early).toBe(true);
  expect(await handOver(ambient, dir.path, '/sessions/1')).toBe(true);
  expect(seen).toEqual(['/?folder=early', '/sessions/1']);
  ending.abort();
  await served;
  instance!.release();
  expect(await handOver(ambient, dir.path, '/')).toBe(false);
  await using again = { value: await becomeInstance(dir.path), [Symbol.asyncDispose]: async () => undefined };
  expect(again.value).toBeDefined();
  again.value?.release();
});

test('removes files that are not requests', async () => {
  await using dir = await tempDir();
  const instance = await becomeInstance(dir.path);
  await dir.write({ 'desktop/requests/a.json': '{"path": 1}', 'desktop/requests/b.json': 'x' });
  const ending = new AbortController();
  const seen: string[] = [];
  const served = (async () => {
    for await (const path of instance!.requests(ending.signal)) seen.push(path);
  })();
  expect(await handOver(ambient, dir.path, '/ok')).toBe(true);
  expect(seen).toEqual(['/ok']);
  ending.abort();
  await served;
  instance!.release();
  expect(await readdir(join(dir.path, 'desktop/requests'))).toEqual([]);
});

test('withdraws a request that the instance does not accept', async () => {
  await using dir = await tempDir();
  const instance = await becomeInstance(dir.path);
  let now = 0;
  const hurried = { ...ambient, monotonic: () => now, sleep: async (ms: number) => void (now += ms) };
  expect(await handOver(hurried, dir.path, '/')).toBe(false);
  expect(await readdir(join(dir.path, 'desktop/requests'))).toEqual([]);
  instance!.release();
});
