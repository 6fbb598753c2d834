import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { systemAmbient } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createItemIndex, type ItemIndex } from './item-index.ts';
import { watchLimits } from './item-watch.ts';

const isReported = (await watchLimits({ project: tmpdir(), folder: '', file: '' })) !== undefined;
const reportedOnly = isReported ? test : test.skip;

const ITEMS = 1_000;
let dir: TempDir;
let index: ItemIndex;
beforeEach(async () => {
  dir = await tempDir();
  for (let count = 0; count < ITEMS; count += 1) {
    await mkdir(at(`i${count}`), { recursive: true });
    await writeFile(at(`i${count}`, 'meta.json'), metaOf(`i${count}`));
  }
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

const at = (...names: string[]): string => join(dir.path, '.svc/library', ...names);
const DAY = '2026-01-01T00:00:00.000Z';
const metaOf = (id: string, nome = id): string =>
  JSON.stringify({ id, nome, mediaType: 'image/png', creatoIl: DAY, aggiornatoIl: DAY, file: 'a' });

const namesOf = async (): Promise<string[]> =>
  (await index.all(dir.path, 'throw')).map(({ id, nome }) => `${id}:${nome}`).sort();

/** The files that this process watches. */
function watchedFiles(): number {
  const files = readdirSync('/proc/self/fdinfo').map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8');
    } catch {
      return ''; // closed meanwhile
    }
  });
  return files.join('').match(/^inotify wd:/gm)?.length ?? 0;
}
async function untilWatched(isWatched: boolean): Promise<void> {
  while (watchedFiles() > ITEMS !== isWatched) await delay(5);
}
async function beginWatch(): Promise<void> {
  await namesOf();
  await namesOf();
  await untilWatched(true);
  // The message that says so may be on its way.
  await delay(100);
  await namesOf();
}

/** A process of its own that runs lines of shell in the library's folder. */
function otherProcess() {
  const child = spawn('sh', [], { cwd: at(), stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(commands: string): Promise<void> {
      child.stdin.write(`${commands}; echo done\n`);
      expect((await lines.next()).value).toBe('done');
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      while (!(await lines.next()).done);
    },
  };
}

const CHANGES: readonly ((id: string, name: string) => [commands: string, now: string | undefined])[] = [
  (id, name) => [`printf '%s' '${metaOf(id, name)}' > ${id}/meta.json`, name],
  (id, name) => [`printf '%s' '${metaOf(id, name)}' > ${id}/new; mv ${id}/new ${id}/meta.json`, name],
  (id) => [`rm -r ${id}`, undefined],
  (id) => [`mv ${id} ../${id}-away`, undefined],
  (id) => [`rm ${id}/meta.json`, undefined],
  (id, name) => [
    `cp -r ${id} .copy; printf '%s' '${metaOf(id, name)}' > .copy/meta.json; rm -r ${id}; mv .copy ${id}`,
    name,
  ],
  (id, name) => [`ln ${id}/meta.json ../${id}; printf '%s' '${metaOf(id, name)}' > ../${id}`, name],
  (id, name) => [`printf '%s' '${metaOf(id, name)}' > ../${id}; ln -sf ../../${id} ${id}/meta.json`, name],
  (id, name) => [`mkdir -p ${id}; printf '%s' '${metaOf(id, name)}' > ${id}/meta.json`, name],
  (id) => [`mv ${id} ../${id}; ln -s ../${id} ${id}`, undefined],
];

reportedOnly('lists each of 200 changes by another process at once', async () => {
  index = createItemIndex({ ambient: systemAmbient('silent') });
  await using other = otherProcess();
  await beginWatch();
  const expected = new Map(Array.from({ length: ITEMS }, (_, count) => [`i${count}`, `i${count}`]));
  for (let count = 0; count < 200; count += 1) {
    const change = CHANGES[count % CHANGES.length] as (typeof CHANGES)[number];
    const id = `i${count * 3}`;
    const [commands, now] = change(id, `changed-${count}`);
    await other.run(commands);
    if (now === undefined) expected.delete(id);
    else expected.set(id, now);
    const names = await namesOf();
    const missed = [...expected].map(([key, name]) => `${key}:${name}`).filter((each) => !names.includes(each));
    expect({ change: commands, missed, count: names.length }).toEqual({
      change: commands,
      missed: [],
      count: expected.size,
    });
  }
  expect(watchedFiles()).toBeGreaterThan(ITEMS / 2);
});

reportedOnly('lists changes to an item changed a moment before, and one that was empty', async () => {
  index = createItemIndex({ ambient: systemAmbient('silent') });
  await using other = otherProcess();
  await beginWatch();
  await other.run('mkdir late');
  expect(await namesOf()).toHaveLength(ITEMS);
  for (const name of ['one', 'two', 'six']) {
    await other.run(`printf '%s' '${metaOf('late', name)}' > late/meta.json`);
    expect(await namesOf()).toContain(`late:${name}`);
  }
});

reportedOnly('gives two simultaneous calls the same changes', async () => {
  index = createItemIndex({ ambient: systemAmbient('silent') });
  await beginWatch();
  for (let count = 0; count < 20; count += 1) {
    await writeFile(at('i7/meta.json'), metaOf('i7', `n${count}`));
    for (const names of await Promise.all([namesOf(), namesOf()])) expect(names).toContain(`i7:n${count}`);
  }
});

reportedOnly('fails while an item is damaged, and returns the same list when nothing changed', async () => {
  index = createItemIndex({ ambient: fakeAmbient(Date.now() + 60_000) });
  await beginWatch();
  expect(await index.all(dir.path, 'throw')).toBe(await index.all(dir.path, 'throw'));
  await writeFile(at('i5/meta.json'), '{');
  for (let call = 0; call < 2; call += 1) await expect(namesOf()).rejects.toMatchObject({ code: 'LIBRARY_MALFORMED' });
  expect(await index.all(dir.path, 'skip')).toHaveLength(ITEMS - 1);
  await writeFile(at('i5/meta.json'), metaOf('i5', 'repaired'));
  expect(await namesOf()).toContain('i5:repaired');
});

reportedOnly('reads everything when the folder was replaced, and watches the new one a minute later', async () => {
  const ambient = fakeAmbient(Date.now() + 60_000);
  index = createItemIndex({ ambient });
  await beginWatch();
  await rename(at(), `${at()}-before`);
  await mkdir(at());
  expect(await namesOf()).toEqual([]);
  await untilWatched(false);
  await rm(at(), { recursive: true });
  await rename(`${at()}-before`, at());
  await writeFile(at('i5/meta.json'), metaOf('i5', 'restored'));
  expect(await namesOf()).toContain('i5:restored');
  expect(watchedFiles()).toBe(0);
  await ambient.advance(60_000);
  await beginWatch();
  await writeFile(at('i5/meta.json'), metaOf('i5', 'again'));
  expect(await namesOf()).toContain('i5:again');
});

/** Stops its parent, makes more events than fit the queue, changes a file, and lets the parent continue. */
const FLOOD = `
  const { utimesSync, writeFileSync } = require('node:fs');
  const [one, other, changed, text, count] = process.argv.slice(1);
  process.kill(process.ppid, 'SIGSTOP');
  try {
    for (let at = 0; at < count; at += 1) utimesSync(at % 2 ? one : other, at, at);
    writeFileSync(changed, text);
  } finally {
    process.kill(process.ppid, 'SIGCONT');
  }
`;

reportedOnly('reads everything when the kernel dropped events', async () => {
  index = createItemIndex({ ambient: fakeAmbient(Date.now() + 60_000) });
  await beginWatch();
  const most = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  const files = ['i1', 'i2', 'i3'].map((id) => at(id, 'meta.json'));
  const given = [...files, metaOf('i3', 'unseen'), String(most * 2)];
  expect(spawnSync(process.execPath, ['-e', FLOOD, ...given], { stdio: 'inherit' }).status).toBe(0);
  expect(await namesOf()).toContain('i3:unseen');
});

reportedOnly('stops watching three minutes after the last call, and when it is closed', async () => {
  const ambient = fakeAmbient(Date.now() + 60_000);
  index = createItemIndex({ ambient });
  await beginWatch();
  await ambient.advance(3 * 60_000 - 1);
  expect(watchedFiles()).toBeGreaterThan(ITEMS);
  await ambient.advance(1);
  await untilWatched(false);
  await writeFile(at('i5/meta.json'), metaOf('i5', 'unwatched'));
  expect(await namesOf()).toContain('i5:unwatched');
  await untilWatched(true);
  await index[Symbol.asyncDispose]();
  expect(watchedFiles()).toBe(0);
});

test('does not watch a library of fewer than a thousand items', async () => {
  index = createItemIndex({ ambient: systemAmbient('silent') });
  await rm(at('i0'), { recursive: true });
  for (let call = 0; call < 5; call += 1) expect(await namesOf()).toHaveLength(ITEMS - 1);
  await delay(200);
  if (isReported) expect(watchedFiles()).toBe(0);
});

test('lists what was changed, added and deleted without a watch', async () => {
  index = createItemIndex({ ambient: systemAmbient('silent') });
  await namesOf();
  await rm(at('i0'), { recursive: true });
  await writeFile(at('i1/meta.json'), metaOf('i1', 'changed'));
  await mkdir(at('new'));
  await writeFile(at('new/meta.json'), metaOf('new'));
  const names = await namesOf();
  expect(names).toHaveLength(ITEMS);
  expect(names).toEqual(expect.arrayContaining(['i1:changed', 'new:new']));
  expect(names).not.toContain('i0:i0');
});
