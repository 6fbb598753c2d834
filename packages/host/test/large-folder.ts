import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGit } from '@fucina/git';
import { systemAmbient } from '@fucina/shared';
import { gitIn, tempDir } from '@fucina/testkit';
import { expect } from '@jest/globals';
import type { DataFolder } from '../src/data-folder/data-folder.ts';
import { openFileHistory } from '../src/domains/open-domains.ts';
import type { HostSettings } from '../src/settings.ts';

const PER_FOLDER = 50;
const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };

export interface LargeFolder extends AsyncDisposable {
  folder: string;
  git: ReturnType<typeof gitIn>;
  history: ReturnType<typeof openFileHistory>;
  /** The tracked file with this number. */
  file(number: number): string;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

/** A repository of so many committed files, and the history of its files. */
export async function largeFolder(size: number): Promise<LargeFolder> {
  const dir = await tempDir();
  const folder = join(dir.path, 'project');
  const data = join(dir.path, 'data');
  const file = (number: number): string => `src/d${Math.floor(number / PER_FOLDER)}/f${number}.txt`;
  for (let number = 0; number < size; number += 1) {
    if (number % PER_FOLDER === 0) await mkdir(join(folder, file(number), '..'), { recursive: true });
    await writeFile(join(folder, file(number)), `text ${number}\n`);
  }
  await writeFile(join(folder, '.gitignore'), 'ignored/\n');
  const run = gitIn(folder);
  await run('init', '-q');
  await run('config', 'user.name', 'Test');
  await run('config', 'user.email', 'test@fucina.invalid');
  await run('add', '-A');
  await run('commit', '-q', '-m', 'Start');
  const git = createGit({ ambient, environment, worktreesDir: join(data, 'worktrees') });
  const owned: AsyncDisposable[] = [];
  const own = <T extends AsyncDisposable>(one: T): T => (owned.push(one), one);
  const settings = { ambient, environment } as unknown as HostSettings;
  const history = openFileHistory(settings, { path: data } as DataFolder, { git: () => git, own });
  return {
    folder,
    git: run,
    history,
    file,
    read: (path) => readFile(join(folder, path), 'utf8'),
    write: (path, text) => writeFile(join(folder, path), text),
    async [Symbol.asyncDispose]() {
      await history[Symbol.asyncDispose]();
      for (const one of owned) await one[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Waits past the steps of the clock that separate changes of different origin. */
export async function pastTheClockStep(): Promise<void> {
  const from = Date.now();
  while (Date.now() < from + 40) await nextTurn();
}

/**
 * A command changes, deletes, moves and commits files anywhere, also those that the user has edited or not yet committed:
 * all is shown, and undone.
 */
export async function changesAreShownAndUndone(size: number): Promise<void> {
  await using large = await largeFolder(size);
  const { folder, history, read, write } = large;
  const at = (part: number): string => large.file(Math.floor(size * part));
  const [edited, changed, removed, moved] = [at(0.1), at(0.99), at(0.5), at(0.75)];
  await write(edited, 'of the user\n');
  await write('unknown.txt', 'not committed\n');
  await history.capture(folder);
  await pastTheClockStep();
  const command = history.command(folder);
  await write(edited, 'of the command\n');
  await write(changed, 'changed\n');
  await rm(join(folder, removed));
  await rename(join(folder, moved), join(folder, 'moved.txt'));
  await rm(join(folder, 'unknown.txt'));
  await large.git('add', '-A');
  await large.git('commit', '-q', '-m', 'By the command');
  const { changes, omitted, isPartial, contested } = await command.look();
  command.end();
  expect({ omitted, isPartial, contested }).toEqual({ omitted: 0, isPartial: false, contested: [] });
  const expected = [edited, changed, removed, moved, 'moved.txt', 'unknown.txt'];
  expect(changes.map(({ path }) => path).sort()).toEqual(expected.sort());
  for (const { path, before, after } of changes) {
    const bytes = before && (await history.read(before.sha256 ?? ''));
    expect(before === null).toBe(path === 'moved.txt');
    const wanted = before && bytes ? { bytes, mode: before.mode } : null;
    const restoring = { path, expected: after && { sha256: after.sha256 ?? '' }, wanted };
    expect(await history.restore(folder, restoring)).toBe('done');
  }
  expect(await read(edited)).toBe('of the user\n');
  expect(await read('unknown.txt')).toBe('not committed\n');
  // The rest is as it was committed.
  expect(await large.git('status', '--porcelain', '--', 'src')).not.toBe('');
  await large.git('reset', '-q', 'HEAD~1');
  expect(await large.git('status', '--porcelain')).toBe(` M ${edited}\n?? unknown.txt`);
  const next = history.command(folder);
  expect((await next.look()).changes).toEqual([]);
  next.end();
}
