import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createGit } from '../src/git.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
/** git's duration does not matter here: on a busy machine, thousands of files take long. */
const patient = { ...ambient, timer: (ms: number, act: () => void) => ambient.timer(ms * 20, act) };
const git = createGit({ ambient: patient, environment });
const FOLDERS = 50;
const FILES = 100;

/** Asynchronous writes would each take a turn of the thread pool. */
function fill(folder: string, text: string, kind: string): void {
  for (let at = 0; at < FOLDERS; at++) {
    mkdirSync(join(folder, `d${at}`), { recursive: true });
    for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `d${at}/${kind}${file}`), `${text}${at}\n`);
  }
}

// 10,000 files through seven operations.
test('5,000 changed and 5,000 new files can be listed, staged, committed, stashed, restored and discarded', async () => {
  await using repo = await tempRepo();
  fill(repo.path, 'one', 'f');
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'many');
  fill(repo.path, 'two', 'f');
  fill(repo.path, 'new', 'n');
  const folders = Array.from({ length: FOLDERS }, (_value, at) => `d${at}`);
  const plainStatus = async (): Promise<string[]> =>
    (await repo.git('status', '--porcelain')).split('\n').filter(Boolean);
  const summary = async () => (await git.reading.state(repo.path)).summary;

  const state = await git.reading.state(repo.path);
  expect(state.entries.map(({ y, path }) => (y === '?' ? `?? ${path}` : ` M ${path}`))).toEqual(await plainStatus());
  expect(state.summary).toEqual({ total: 10_000, staged: 0, unstaged: 5000, untracked: 5000, conflicts: 0 });

  const chunk = folders
    .slice(0, 10)
    .flatMap((folder) => Array.from({ length: FILES }, (_value, at) => `${folder}/f${at}`));
  await git.staging.stage(repo.path, chunk);
  expect(await summary()).toMatchObject({ staged: 1000, unstaged: 4000, untracked: 5000 });
  await git.staging.unstage(repo.path, chunk);
  await git.staging.stage(repo.path, folders);
  expect(await repo.git('diff', '--name-only')).toBe('');
  expect((await plainStatus()).filter((line) => /^[AM] {2}/.test(line))).toHaveLength(10_000);
  const { fingerprint } = await git.reading.state(repo.path);
  const { commit } = await git.commits.staged(repo.path, 'all', fingerprint);
  expect(await plainStatus()).toEqual([]);
  expect(await git.reading.changes(repo.path, { to: commit })).toMatchObject({ hasMore: true });

  fill(repo.path, 'three', 'f');
  fill(repo.path, 'fresh', 'x');
  const before = await plainStatus();
  expect(before).toHaveLength(10_000);
  const { stashes } = await git.stashes.push(repo.path, { hasNew: true });
  expect(await plainStatus()).toEqual([]);
  await git.stashes.pop(repo.path, { index: 0, commit: stashes[0]?.commit ?? '' });
  expect(await plainStatus()).toEqual(before);

  const discarded = await git.staging.discard(repo.path, folders);
  expect([discarded.restored.length, discarded.removed.length]).toEqual([5000, 5000]);
  expect(await plainStatus()).toEqual([]);
}, 240_000);
