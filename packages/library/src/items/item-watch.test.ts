import { utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ItemWatch, startItemWatch, watchLimits } from './item-watch.ts';

const isReported = (await watchLimits({ project: tmpdir(), folder: '', file: '' })) !== undefined;
const reportedOnly = isReported ? test : test.skip;

let dir: TempDir;
let ambient: FakeAmbient;
let watch: ItemWatch | undefined;
let ended: string[];
beforeEach(async () => {
  dir = await tempDir();
  ambient = fakeAmbient();
  ended = [];
  for (const id of ['a', 'b', 'c']) await dir.write({ [`.svc/library/${id}/meta.json`]: id });
});
afterEach(async () => {
  await watch?.end();
  await dir[Symbol.asyncDispose]();
});

const at = (...names: string[]): string => join(dir.path, '.svc/library', ...names);

/** A watch that has begun. */
async function started(mostEvents = 8_192): Promise<ItemWatch> {
  const watched = { project: dir.path, folder: '.svc/library', file: 'meta.json', mostEvents };
  const mine = startItemWatch(ambient, watched, (reason) => ended.push(reason));
  watch = mine;
  // Unknown before it has begun and once afterwards.
  while (!(await mine.changes())) await delay(5);
  return mine;
}

reportedOnly('names what changed, appeared and went, each once', async () => {
  const { changes } = await started();
  expect(await changes()).toEqual({ gone: [], changed: [] });
  await writeFile(at('a/meta.json'), 'in place');
  await writeFile(at('b/new'), 'replaced');
  await rename(at('b/new'), at('b/meta.json'));
  await rename(at('c'), at('d'));
  expect(await changes()).toEqual({ gone: ['c'], changed: ['a', 'b', 'd'] });
  expect(await changes()).toEqual({ gone: [], changed: [] });
  await writeFile(at('b/meta.json'), 'again');
  await writeFile(at('d/meta.json'), 'again');
  expect(await changes()).toEqual({ gone: [], changed: ['b', 'd'] });
});

reportedOnly('reports a change made between two questions that arrive together', async () => {
  const { changes } = await started();
  for (let count = 0; count < 2_000; count += 1) {
    const first = changes();
    writeFileSync(at('a/meta.json'), String(count));
    const reported = await Promise.all([first, changes()]);
    expect({ count, ids: reported.flatMap((each) => each?.changed) }).toEqual({
      count,
      ids: expect.arrayContaining(['a']),
    });
  }
});

reportedOnly('names an item that it cannot watch at each call', async () => {
  await mkdir(at('empty'));
  await mkdir(at('linked'));
  await symlink('../../elsewhere.json', at('linked/meta.json'));
  const { changes } = await started();
  for (let call = 0; call < 2; call += 1)
    expect([...((await changes())?.changed ?? [])].sort()).toEqual(['empty', 'linked']);
  await writeFile(at('empty/meta.json'), 'x');
  expect([...((await changes())?.changed ?? [])].sort()).toEqual(['empty', 'linked']);
  expect(await changes()).toEqual({ gone: [], changed: ['linked'] });
});

reportedOnly('ignores folders that are not items, and links to folders', async () => {
  const { changes } = await started();
  await dir.write({ '.svc/library/.gone-a/meta.json': 'x', '.svc/library/.gitignore': '*' });
  await symlink('a', at('link'));
  expect(await changes()).toEqual({ gone: ['link'], changed: [] });
});

reportedOnly('has everything read again every ten minutes', async () => {
  const { changes } = await started();
  await ambient.advance(10 * 60_000);
  expect(await changes()).toBeUndefined();
  expect(await changes()).toEqual({ gone: [], changed: [] });
});

reportedOnly('ends when the folder is another one', async () => {
  const { changes } = await started();
  await rename(join(dir.path, '.svc'), join(dir.path, 'before'));
  await dir.write({ '.svc/library/z/meta.json': 'z' });
  expect(await changes()).toBeUndefined();
  expect(ended).toEqual(['folder-replaced']);
  expect(await changes()).toBeUndefined();
});

reportedOnly('ends when a link leads to the folder', async () => {
  const { changes } = await started();
  await rename(join(dir.path, '.svc'), join(dir.path, 'elsewhere'));
  await symlink('elsewhere', join(dir.path, '.svc'));
  expect(await changes()).toBeUndefined();
  expect(ended).toEqual(['folder-replaced']);
});

reportedOnly('ends when there may have been more events than the queue of the kernel holds', async () => {
  const { changes } = await started(10);
  // Of two files in turn: the kernel joins equal events that follow each other.
  for (let count = 0; count < 20_000; count += 1) utimesSync(at(count % 2 ? 'a' : 'b', 'meta.json'), count, count);
  expect(await changes()).toBeUndefined();
  expect(ended).toEqual(['too-many-events']);
});
