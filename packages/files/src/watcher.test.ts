import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createWatcher, type FolderChange } from './watcher.ts';

/** Reported changes, by path; `reported` waits for one. */
function listener() {
  const seen: string[] = [];
  let wake: () => void = () => undefined;
  return {
    seen,
    onChange(changes: readonly FolderChange[]): void {
      seen.push(...changes.map(({ path }) => path));
      wake();
    },
    async waitFor(path: string): Promise<void> {
      while (!seen.includes(path)) await new Promise<void>((resolve) => (wake = resolve));
    },
    async reported(path: string, act: () => Promise<unknown>): Promise<void> {
      // The watch starts a moment after the request: the change is repeated until it is reported.
      while (!seen.includes(path)) {
        await act();
        const change = new Promise<void>((resolve) => (wake = resolve));
        await Promise.race([change, new Promise((resolve) => setTimeout(resolve, 300))]);
      }
    },
  };
}

test('reports created, changed and deleted files once per batch, without packages and .git', async () => {
  await using dir = await tempDir();
  await using watcher = createWatcher({ ambient: systemAmbient('silent') });
  await dir.write({ 'node_modules/x/a.js': '', '.git/HEAD': '' });
  const one = listener();
  const stop = watcher.watch(dir.path, one.onChange);
  let count = 0;
  await one.reported('a.txt', () => writeFile(join(dir.path, 'a.txt'), String((count += 1))));
  await mkdir(join(dir.path, 'deep'));
  await one.reported('deep/b.txt', () => writeFile(join(dir.path, 'deep/b.txt'), String((count += 1))));
  await writeFile(join(dir.path, 'node_modules/x/a.js'), 'changed');
  await writeFile(join(dir.path, '.git/HEAD'), 'changed');
  one.seen.length = 0;
  await rm(join(dir.path, 'a.txt'));
  await one.reported('a.txt', async () => undefined);
  expect(one.seen.some((path) => path.includes('node_modules') || path.includes('.git'))).toBe(false);
  stop();
});

test('watches a renamed folder again when it returns', async () => {
  await using dir = await tempDir();
  await using watcher = createWatcher({ ambient: systemAmbient('silent') });
  const folder = join(dir.path, 'project');
  await mkdir(folder);
  const one = listener();
  watcher.watch(folder, one.onChange);
  await one.reported('a.txt', () => writeFile(join(folder, 'a.txt'), 'x'));
  await rename(folder, `${folder}-away`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await rename(`${folder}-away`, folder);
  let count = 0;
  await one.reported('b.txt', () => writeFile(join(folder, 'b.txt'), String((count += 1))));
});

test('reports changes between the subscription and the first scan', async () => {
  await using dir = await tempDir();
  await using watcher = createWatcher({ ambient: systemAmbient('silent') });
  await dir.write({ 'old.txt': 'x', 'deep/changed.txt': 'x', 'deep/deleted.txt': 'x' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const one = listener();
  watcher.watch(dir.path, one.onChange);
  // The initial scan ends long before the watch starts.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await writeFile(join(dir.path, 'deep/changed.txt'), 'y');
  await writeFile(join(dir.path, 'new.txt'), 'y');
  await rm(join(dir.path, 'deep/deleted.txt'));
  for (const path of ['deep/changed.txt', 'new.txt', 'deep/deleted.txt']) await one.waitFor(path);
  expect(one.seen).not.toContain('old.txt');
  expect(one.seen).not.toContain('deep');
});

test('delivers pending changes when the last listener leaves', async () => {
  await using dir = await tempDir();
  const system = systemAmbient('silent');
  let isHeld = false;
  let batches = 0;
  // From then on a batch is delivered by nothing else.
  const timer: Ambient['timer'] = (ms, act) => {
    if (ms !== 250 || !isHeld) return system.timer(ms, act);
    batches += 1;
    return () => undefined;
  };
  await using watcher = createWatcher({ ambient: { ...system, timer } });
  const one = listener();
  const stop = watcher.watch(dir.path, one.onChange);
  await one.reported('a.txt', () => writeFile(join(dir.path, 'a.txt'), 'x'));
  isHeld = true;
  await writeFile(join(dir.path, 'late.txt'), 'x');
  while (batches === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // A second event of the first file may have begun the batch.
  await new Promise((resolve) => setTimeout(resolve, 150));
  stop();
  await one.waitFor('late.txt');
});
