import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Ambient, moduleArgv, systemAmbient } from '@fucina/shared';
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
  let note = (): void => undefined;
  const noted = new Promise<void>((resolve) => (note = resolve));
  // From then on a batch is delivered by nothing else.
  const timer: Ambient['timer'] = (ms, act) => {
    if (ms !== 250 || !isHeld) return system.timer(ms, act);
    note();
    return () => undefined;
  };
  await using watcher = createWatcher({ ambient: { ...system, timer } });
  const one = listener();
  const stop = watcher.watch(dir.path, one.onChange);
  await one.reported('a.txt', () => writeFile(join(dir.path, 'a.txt'), 'x'));
  isHeld = true;
  await writeFile(join(dir.path, 'late.txt'), 'x');
  await noted;
  // A second event of the first file may have begun the batch.
  await new Promise((resolve) => setTimeout(resolve, 150));
  stop();
  await one.waitFor('late.txt');
});

/** The watching processes of this test file. */
function processes(): string[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
  return children.filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('watch-main'));
}

/** Resolves when the watch has begun. */
async function begun(watcher: ReturnType<typeof createWatcher>, dir: string): Promise<void> {
  const first = listener();
  const stop = watcher.watch(dir, first.onChange);
  let count = 0;
  await first.reported('begun.txt', () => writeFile(join(dir, 'begun.txt'), String((count += 1))));
  stop();
}

test('reports changes deep inside a folder that was moved in or made at once', async () => {
  await using dir = await tempDir();
  await using outside = await tempDir();
  await using watcher = createWatcher({ ambient: systemAmbient('silent') });
  await outside.write({ 'moved/y/z/old.txt': '' });
  await begun(watcher, dir.path);
  const one = listener();
  watcher.watch(dir.path, one.onChange);
  await rename(join(outside.path, 'moved'), join(dir.path, 'moved'));
  await mkdir(join(dir.path, 'made/a/b'), { recursive: true });
  await one.waitFor('moved/y/z/old.txt');
  await one.waitFor('made/a/b');
  let count = 0;
  for (const path of ['moved/y/z/new.txt', 'made/a/b/new.txt'])
    await one.reported(path, () => writeFile(join(dir.path, path), String((count += 1))));
});

test('leaves out what an ignore file names, unless it is asked for, and nothing beside it', async () => {
  await using dir = await tempDir();
  await using watcher = createWatcher({ ambient: systemAmbient('silent') });
  await dir.write({ '.gitignore': 'out/\n!in/out/\n', 'out/a.txt': '', 'outer/a.txt': '', 'in/out/a.txt': '' });
  const [ruled, all] = [listener(), listener()];
  watcher.watch(dir.path, ruled.onChange);
  watcher.watch(dir.path, all.onChange, { includesIgnored: true });
  let count = 0;
  const write = (path: string) => () => writeFile(join(dir.path, path), String((count += 1)));
  for (const path of ['out/a.txt', 'outer/a.txt']) await all.reported(path, write(path));
  for (const path of ['outer/a.txt', 'in/out/a.txt']) await ruled.reported(path, write(path));
  await mkdir(join(dir.path, 'new/out'), { recursive: true });
  await writeFile(join(dir.path, 'new/out/a.txt'), '');
  await all.waitFor('new/out/a.txt');
  await ruled.reported('outer/last.txt', write('outer/last.txt'));
  expect(ruled.seen.filter((path) => /^(new\/)?out\//.test(path))).toEqual([]);
});

test('keeps the watch of a folder after its last subscriber, and reads nothing again for the next', async () => {
  await using dir = await tempDir();
  await using watcher = createWatcher({ ambient: systemAmbient('silent') });
  await begun(watcher, dir.path);
  const before = processes();
  expect(before).toHaveLength(1);
  await writeFile(join(dir.path, 'unheard.txt'), 'x');
  const next = listener();
  const from = performance.now();
  watcher.watch(dir.path, next.onChange);
  await next.reported('heard.txt', () => writeFile(join(dir.path, 'heard.txt'), 'x'));
  expect(performance.now() - from).toBeLessThan(10_000);
  expect(processes()).toEqual(before);
});

test('reports what happened while no process watched, after it died', async () => {
  await using dir = await tempDir();
  await using watcher = createWatcher({ ambient: systemAmbient('silent') });
  await mkdir(join(dir.path, 'deep'));
  await begun(watcher, dir.path);
  const one = listener();
  watcher.watch(dir.path, one.onChange);
  const [pid] = processes();
  process.kill(Number(pid), 'SIGKILL');
  await writeFile(join(dir.path, 'deep/meanwhile.txt'), 'x');
  await one.waitFor('deep/meanwhile.txt');
  expect(processes()).not.toContain(pid);
  expect(watcher.state()).toEqual({ limited: [], unknown: [] });
});

test('reads a folder again and again where the system allows no more watches, and says so', async () => {
  await using dir = await tempDir();
  await dir.write(Object.fromEntries(Array.from({ length: 20 }, (_file, at) => [`d${at}/a.txt`, ''])));
  const [program, ...argv] = moduleArgv(new URL('../../test/limited-watch.ts', import.meta.url));
  const limited = 'echo 10 > /proc/sys/user/max_inotify_watches && exec "$@"';
  const inside = [
    '--unshare-user',
    '--uid',
    '0',
    '--gid',
    '0',
    '--cap-add',
    'CAP_SYS_RESOURCE',
    '--dev-bind',
    '/',
    '/',
    'sh',
    '-c',
    limited,
    'sh',
  ];
  const { stdout } = await promisify(execFile)('bwrap', [...inside, program, ...argv, dir.path]);
  expect(JSON.parse(stdout)).toEqual({ limited: [dir.path], unknown: [] });
});
