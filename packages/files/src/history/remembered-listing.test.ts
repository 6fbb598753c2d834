import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Ambient, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createDiskThread } from './disk-thread.ts';
import { rememberListing } from './remembered-listing.ts';

const LATER_MS = 60_000;

interface Place extends AsyncDisposable {
  at(path: string): string;
  write(path: string, text?: string): Promise<void>;
  /** How often the files were really listed, after this many listings. */
  listings(count?: number): Promise<number>;
}

/** A project in a folder of its own; its clock is a minute ahead, so that nothing counts as just changed. */
async function place(paths: readonly string[], { isCut = false, aheadMs = LATER_MS } = {}): Promise<Place> {
  const dir = await tempDir();
  const folder = join(dir.path, 'project');
  const at = (path: string): string => join(folder, path);
  const write = async (path: string, text = ''): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  for (const path of paths) await write(path);
  const system = systemAmbient('silent');
  const ambient: Ambient = { ...system, now: () => system.now() + aheadMs };
  let count = 0;
  const { signal } = new AbortController();
  const list = rememberListing({
    ambient,
    disk: createDiskThread({ ambient, signal }),
    gitSettings: [join(dir.path, 'gitconfig', 'config'), join(dir.path, 'gitconfig', 'ignore')],
    listFiles: async () => {
      count += 1;
      return { paths, isCut };
    },
  });
  return {
    at,
    write,
    async listings(times = 1) {
      for (let index = 0; index < times; index += 1) await list(folder, { limit: 100, signal });
      await clockStep();
      return count;
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Until a further change gets another time. */
async function clockStep(): Promise<void> {
  for (const until = Date.now() + 20; Date.now() < until; ) await nextTurn();
}

describe('the listing of a folder', () => {
  test('is made anew, without a wait, beside an ignore file that is a pipe', async () => {
    await using project = await place(['a.ts', 'src/b.ts']);
    execFileSync('mkfifo', [project.at('src/.gitignore')]);
    expect(await project.listings(3)).toBe(3);
  });

  test('is used again while nothing changes, and while files only change their content', async () => {
    await using p = await place(['a.txt', 'src/b.txt']);
    expect(await p.listings(3)).toBe(1);
    await appendFile(p.at('src/b.txt'), 'more');
    expect(await p.listings()).toBe(1);
  });

  test.each([
    ['a file is added', (p: Place) => p.write('src/new.txt')],
    ['a file is removed', (p: Place) => rm(p.at('src/b.txt'))],
    ['a file is added to a folder that was empty', (p: Place) => p.write('empty/deep/new.txt')],
    ['an ignore file is added', (p: Place) => p.write('src/.gitignore', 'b.txt')],
    ['an ignore file changes', (p: Place) => appendFile(p.at('.gitignore'), 'a.txt\n')],
    ['an ignore file is added around it', (p: Place) => p.write('../.ignore', 'a.txt')],
    ['what git excludes here changes', (p: Place) => p.write('.git/info/exclude', 'a.txt')],
    ['what git ignores everywhere changes', (p: Place) => p.write('../gitconfig/ignore', 'a.txt')],
  ])('is made again after %s', async (_what, change) => {
    await using p = await place(['a.txt', 'src/b.txt', '.gitignore']);
    await mkdir(p.at('empty/deep'), { recursive: true });
    await mkdir(p.at('.git/info'), { recursive: true });
    expect(await p.listings(2)).toBe(1);
    await change(p);
    expect(await p.listings()).toBe(2);
  });

  test('is used again after changes in an ignored folder', async () => {
    await using p = await place(['a.txt', '.gitignore']);
    await writeFile(p.at('.gitignore'), 'node_modules/\n');
    await p.write('node_modules/one/index.js');
    expect(await p.listings(2)).toBe(1);
    await p.write('node_modules/two/index.js');
    await p.write('node_modules/one/more.js');
    expect(await p.listings()).toBe(1);
  });

  test('is made again after changes in an ignored folder that another ignore file may bring back', async () => {
    await using p = await place(['a.txt', '.gitignore', '.ignore']);
    await writeFile(p.at('.gitignore'), 'made/\n');
    await p.write('made/one.txt');
    expect(await p.listings(2)).toBe(1);
    await p.write('made/two.txt');
    expect(await p.listings()).toBe(2);
  });

  test('is made each time where settings of git name a further ignore file', async () => {
    await using p = await place(['a.txt']);
    await p.write('../gitconfig/config', '[core]\n\texcludesFile = ~/ignored\n');
    expect(await p.listings(2)).toBe(2);
  });

  test('is made each time in a folder that changed just now', async () => {
    await using p = await place(['a.txt'], { aheadMs: 0 });
    await utimes(p.at('.'), new Date(), new Date());
    expect(await p.listings(2)).toBe(2);
  });

  test('is made each time if it is cut', async () => {
    await using p = await place(['a.txt'], { isCut: true });
    expect(await p.listings(2)).toBe(2);
  });
});
