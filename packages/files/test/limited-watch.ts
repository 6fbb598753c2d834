import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { createWatcher } from '../src/watch/watcher.ts';

/** Watches a folder where the system allows too few watches, prints its state, and ends at the change that it hears of. */
const folder = process.argv[2] as string;
const watcher = createWatcher({ ambient: systemAmbient('silent') });
const alive = setInterval(() => {
  if (watcher.state().limited.length === 0) return;
  writeFileSync(join(folder, 'd7', 'changed.txt'), 'x');
  watcher.rescan(folder);
}, 100);
watcher.watch(folder, async (changes) => {
  if (!changes.some(({ path }) => path === 'd7/changed.txt')) return;
  clearInterval(alive);
  process.stdout.write(JSON.stringify(watcher.state()));
  await watcher[Symbol.asyncDispose]();
});
