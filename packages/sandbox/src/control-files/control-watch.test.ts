import { cp, link, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ControlWrite } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createControlFolders } from './control-folders.ts';
import { createControlWatch } from './control-watch.ts';

const FIRST_LOOK_MS = 10_000;

describe('while a command runs', () => {
  test('what it writes is removed and reported once, and a neighbor stays', async () => {
    await using at = await started();
    await at.write('.envrc', 'made');
    await at.write('plain.txt', 'kept');
    await at.ambient.advance(FIRST_LOOK_MS - 1);
    expect(await at.read('.envrc')).toBe('made');
    await at.look(1);
    expect([at.reported, await at.names()]).toEqual([[{ path: '.envrc', content: 'made' }], ['plain.txt']]);
    await at.look(10_000);
    expect([at.reported.length, await at.guard.settle()]).toEqual([1, []]);
  });

  test('it is looked for after a second once it is in the background', async () => {
    await using at = await started();
    at.begun.lookSoon();
    await at.write('.vscode/tasks.json', 'made');
    await at.look(1_000);
    expect(at.reported).toEqual([{ path: '.vscode/tasks.json', content: 'made' }]);
  });

  test('a content that the user allowed stays, and one changed in place is removed', async () => {
    await using at = await started();
    await at.allow('.husky/pre-commit', 'allowed');
    await at.write('.husky/pre-push', 'made');
    await at.look(FIRST_LOOK_MS);
    expect(at.reported).toEqual([{ path: '.husky/pre-push', content: 'made' }]);
    await writeFile(at.path('.husky/pre-commit'), 'changed');
    await at.look(10_000);
    expect(at.reported.slice(1)).toEqual([{ path: '.husky/pre-commit', content: 'changed' }]);
    expect(await at.guard.settle()).toEqual([]);
  });

  test('a file of the root that the user replaces is theirs as it is seen first, not as it is changed in place', async () => {
    await using at = await started({ '.envrc': 'mine' });
    await at.write('new', 'saved by an editor');
    await rename(at.path('new'), at.path('.envrc'));
    await at.look(FIRST_LOOK_MS);
    expect([at.reported, await at.read('.envrc')]).toEqual([[], 'saved by an editor']);
    await writeFile(at.path('.envrc'), 'theirs');
    await at.look(10_000);
    expect(at.reported).toEqual([{ path: '.envrc', content: 'theirs' }]);
  });

  test('a file that was there before keeps its identity only as long as it is the same file', async () => {
    await using at = await started({ 'a/.envrc': 'mine' });
    await rm(at.path('a/.envrc'));
    await at.write('a/.envrc', 'theirs');
    await at.look(FIRST_LOOK_MS);
    expect(at.reported).toEqual([{ path: 'a/.envrc', content: 'theirs' }]);
  });

  test('the settings of a new repository stay the same file until its end, and not after it', async () => {
    await using at = await started();
    await at.write('new/.git/config', '[core]\n\tbare = false\n');
    await link(at.path('new/.git/config'), at.path('other'));
    await at.look(FIRST_LOOK_MS);
    await writeFile(at.path('other'), '[core]\n\tbare = true\n');
    expect(await at.read('new/.git/config')).toContain('true');
    await at.guard.settle();
    await writeFile(at.path('other'), '[core]\n\tfsmonitor = x\n');
    expect(await at.read('new/.git/config')).toContain('true');
  });
});

test('finds a control file in the last of many new folders', async () => {
  await using at = await started();
  for (let count = 0; count < 2_100; count += 1) await mkdir(at.path(`new-${count}`));
  await Promise.all((await readdir(at.folder)).map((name) => at.write(`${name}/.envrc`, name)));
  const writes = await at.guard.settle();
  expect(writes.length).toBe(2_100);
}, 60_000);

describe('after a crash', () => {
  test('what two first commands at the same time left is asked for', async () => {
    await using at = await started({}, 2);
    await at.write('.envrc', 'made');
    const after = await at.crash();
    expect((await readdir(after.dir, { recursive: true })).filter((name) => name.endsWith('.json'))).toHaveLength(2);
    expect(await (await after.guard()).settle()).toEqual([{ path: '.envrc', content: 'made' }]);
  });

  test('what was left is removed, and asked for with the next command in that folder, once', async () => {
    await using at = await started({ '.npmrc': 'mine' });
    await at.write('.envrc', 'made');
    await at.write('.git/hooks/pre-push', 'made');
    await at.allow('.mcp.json', 'allowed');
    const after = await at.crash();
    await after.recover();
    expect((await at.names()).filter((name) => !name.startsWith('.git'))).toEqual(['.mcp.json', '.npmrc']);
    const again = await at.crash(after.dir);
    const guard = await again.guard();
    const writes = await guard.settle();
    expect(writes.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: '.envrc', content: 'made' },
      { path: '.git/hooks/pre-push', content: 'made' },
    ]);
    expect(await (await again.guard()).settle()).toEqual([]);
    expect(await readdir(again.dir)).toHaveLength(1);
  });

  test('what it removed before, and nobody was asked about, is asked for', async () => {
    await using at = await started();
    await at.write('.envrc', 'made');
    await at.look(FIRST_LOOK_MS);
    const after = await at.crash();
    expect(await (await after.guard()).settle()).toEqual([{ path: '.envrc', content: 'made' }]);
  });

  test('what was changed long after it is the user’s', async () => {
    await using at = await started();
    await at.write('.envrc', 'mine');
    const after = await at.crash(undefined, 60);
    await after.recover();
    expect(await at.read('.envrc')).toBe('mine');
  });

  test('nothing is left of commands that ended', async () => {
    await using at = await started();
    await at.guard.settle();
    await at.write('.envrc', 'mine');
    const after = await at.crash();
    await after.recover();
    expect(await at.read('.envrc')).toBe('mine');
  });
});

/** A folder with these files, and the guard of a command that was started in it, of several the last. */
async function started(files: Readonly<Record<string, string>> = {}, count = 1) {
  const ambient = fakeAmbient(Date.now());
  const place = await tempDir('fucina-watch-');
  const [folder, dir] = [join(place.path, 'folder'), join(place.path, 'running')];
  const path = (name: string): string => join(folder, name);
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
  };
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) await write(name, content);
  const watchIn = (at: string) => {
    const folders = createControlFolders(ambient);
    const watch = createControlWatch({ ambient, dir: at, look: (one) => folders.of(one), isOpened: () => false });
    const guard = async () => watch.guard({ folder, before: await folders.of(folder), look: () => folders.of(folder) });
    return { ...watch, dir: at, guard };
  };
  const watch = watchIn(dir);
  const reported: ControlWrite[] = [];
  for (const other of await Promise.all(Array.from({ length: count - 1 }, watch.guard))) other.begin(() => undefined);
  const guard = await watch.guard();
  const begun = guard.begin((writes) => reported.push(...writes));
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await settled();
  let crashes = 0;
  return {
    ambient,
    folder,
    guard,
    begun,
    reported,
    path,
    write,
    read: (name: string) => readFile(path(name), 'utf8'),
    names: async () => (await readdir(folder)).sort(),
    async look(ms: number) {
      await ambient.advance(ms);
      await settled();
    },
    allow: (name: string, content: string) =>
      watch.allow(
        folder,
        () => write(name, content),
        () => [{ path: name, content }],
      ),
    /** The state of the data folder as another process finds it: nobody holds its locks. */
    async crash(from = dir, secondsAgo = 0) {
      await settled();
      const to = join(place.path, `running-${(crashes += 1)}`);
      await cp(from, to, { recursive: true, filter: (source) => !source.endsWith('lock') });
      for (const name of await readdir(to, { recursive: true })) {
        const at = Date.now() / 1000 - secondsAgo;
        await utimes(join(to, name), at, at);
      }
      return watchIn(to);
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}
