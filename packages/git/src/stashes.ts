import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseConflicts } from './commits.ts';
import { gitError } from './errors.ts';
import { keepingIndex } from './index-file.ts';
import { succeeded, WRITE_MS } from './launcher.ts';
import { binary, readable } from './paths.ts';
import { insideFolder, type Place } from './place.ts';
import { headOf, type RepositoryState, readEntries, readState, resolveCommit } from './status.ts';

export interface Stash {
  /** 0 is the newest. */
  index: number;
  commit: string;
  message: string;
  /** Where it was made; null when detached. */
  branch: string | null;
  /** ISO 8601. */
  date: string;
}

export interface StashChoice {
  index: number;
  /** The entry the person saw there. */
  commit: string;
}

export interface Stashed {
  stashes: Stash[];
  state: RepositoryState;
}

const MAX_MESSAGE = 200;

export async function readStashes({ git }: Place): Promise<Stash[]> {
  if ((await resolveCommit(git, 'refs/stash')) === undefined) return [];
  const format = '--format=%H%x00%gs%x00%cI';
  const rows = await git.text([
    'log',
    '--walk-reflogs',
    '--no-show-signature',
    '--encoding=UTF-8',
    format,
    'refs/stash',
    '--',
  ]);
  return rows
    .split('\n')
    .filter(Boolean)
    .map((row, index) => {
      const [commit = '', told = '', date = ''] = row.split('\0');
      const [, branch, message] = /^(?:WIP on|On) (.+?): (.*)$/.exec(told) ?? [];
      return {
        index,
        commit,
        message: message ?? told,
        branch: branch === '(no branch)' ? null : (branch ?? null),
        date,
      };
    });
}

/** Puts the folder's changes aside. Throws GIT_NOTHING_TO_STASH, GIT_CONFLICTS. */
export async function stashChanges(
  place: Place,
  { message, hasNew }: { message?: string; hasNew: boolean },
): Promise<Stashed> {
  await refuseConflicts(place);
  if ((await headOf(place.git)) === undefined) throw gitError('GIT_NOTHING_TO_STASH', { reason: 'no-commit' });
  const entries = await readEntries(place);
  const isToStash = entries.some(
    (entry) => (entry.isStaged || entry.isUnstaged || (hasNew && entry.kind === 'untracked')) && !entry.isRepository,
  );
  if (!isToStash) throw gitError('GIT_NOTHING_TO_STASH');
  const text = (message ?? '')
    .replace(/[\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE);
  await keepingIndex(place, async () => {
    // A stash of some paths takes along what is staged elsewhere: that waits outside meanwhile.
    const outside = await takeOutside(place);
    const paths = place.prefix === '' ? [] : ['--', `:(top,literal)${place.prefix}`];
    const options = [...(hasNew ? ['--include-untracked'] : []), ...(text === '' ? [] : ['--message', text])];
    const args = ['stash', 'push', '--quiet', ...options, ...paths];
    // Under literal path specs git 2.39 leaves new files behind, so the magic is spelled out here.
    const environment = { GIT_LITERAL_PATHSPECS: '0', ...IDENTITY };
    succeeded(await place.git.run(args, { environment, timeoutMs: WRITE_MS }), args);
    await putBack(place, outside);
  });
  return { stashes: await readStashes(place), state: await readState(place) };
}

/**
 * Brings an entry back and drops it. Throws GIT_STASH_CHANGED, GIT_STASH_OUTSIDE (it holds files of other folders),
 * GIT_STASH_CONFLICT; then nothing has changed.
 */
export async function popStash(place: Place, choice: StashChoice): Promise<Stashed> {
  await checkChoice(place, choice);
  const { tracked, fresh } = await filesOf(place, choice.commit);
  if ([...tracked, ...fresh].some((path) => insideFolder(place, path) === undefined))
    throw gitError('GIT_STASH_OUTSIDE');
  for (const path of fresh)
    if (await isThere(place, path)) throw gitError('GIT_STASH_CONFLICT', { reason: 'new-file' });
  await refuseChanged(place, tracked);
  await rehearse(place, choice.commit);
  const args = ['stash', 'pop', '--quiet', `stash@{${choice.index}}`];
  const outcome = await place.git.run(args, { timeoutMs: WRITE_MS, environment: IDENTITY });
  if (outcome.exitCode !== 0) throw gitError('GIT_STASH_CONFLICT', { details: { stderr: outcome.stderr } });
  return { stashes: await readStashes(place), state: await readState(place) };
}

/** Throws GIT_STASH_CHANGED. */
export async function dropStash(place: Place, choice: StashChoice): Promise<Stash[]> {
  await checkChoice(place, choice);
  await place.git.text(['stash', 'drop', '--quiet', `stash@{${choice.index}}`], { timeoutMs: WRITE_MS });
  return readStashes(place);
}

/** Of commits nobody keeps, where the person has no name set. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Fucina',
  GIT_AUTHOR_EMAIL: 'fucina@localhost',
  GIT_COMMITTER_NAME: 'Fucina',
  GIT_COMMITTER_EMAIL: 'fucina@localhost',
};

async function checkChoice(place: Place, { index, commit }: StashChoice): Promise<void> {
  const found = (await readStashes(place)).find((stash) => stash.index === index);
  if (found?.commit !== commit) throw gitError('GIT_STASH_CHANGED');
}

async function filesOf({ git }: Place, commit: string): Promise<{ tracked: string[]; fresh: string[] }> {
  const names = async (...args: string[]): Promise<string[]> =>
    binary(succeeded(await git.run(args), args))
      .split('\0')
      .filter(Boolean)
      .map(readable);
  const options = ['-r', '-z', '--name-only', '--no-renames', '--no-relative'];
  const hasFresh = (await resolveCommit(git, `${commit}^3`)) !== undefined;
  return {
    tracked: await names('diff-tree', ...options, `${commit}^1`, commit, '--'),
    fresh: hasFresh ? await names('ls-tree', '-r', '-z', '--name-only', '--full-tree', `${commit}^3`) : [],
  };
}

async function isThere({ repository }: Place, path: string): Promise<boolean> {
  return lstat(join(repository.root, path)).then(
    () => true,
    () => false,
  );
}

/** git finds out too late about a file that differs on disk: by then new files are there again. */
async function refuseChanged(place: Place, tracked: readonly string[]): Promise<void> {
  const paths = new Set(tracked);
  const entries = await readEntries(place, 'all');
  if (entries.some((entry) => (entry.isUnstaged || entry.kind === 'untracked') && paths.has(entry.repositoryPath)))
    throw gitError('GIT_STASH_CONFLICT', { reason: 'changed-here' });
}

/** The merge that bringing it back makes, without a file being touched. */
async function rehearse({ git }: Place, commit: string): Promise<void> {
  const options = { environment: IDENTITY };
  const index = ['write-tree'];
  const tree = await git.run(index);
  if (tree.exitCode !== 0) throw gitError('GIT_STASH_CONFLICT', { reason: 'conflicts-in-progress' });
  const now = ['commit-tree', tree.stdout.toString('utf8').trim(), '-p', `${commit}^1`, '-m', 'now'];
  const ours = (await git.text(now, options)).trim();
  const args = ['merge-tree', '--write-tree', '--no-messages', ours, commit];
  const outcome = await git.run(args, options);
  if (outcome.exitCode === 1) throw gitError('GIT_STASH_CONFLICT');
  succeeded(outcome, args);
}

/** What is staged outside the folder is unstaged; answers how to stage it again. */
async function takeOutside(place: Place): Promise<Buffer> {
  if (place.prefix === '') return Buffer.alloc(0);
  const args = ['diff', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', '--no-relative', '--no-ext-diff'];
  const fields = binary(succeeded(await place.git.run(args), args)).split('\0');
  const staged: string[] = [];
  const paths: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , object = ''] = (fields[at] ?? '').split(' ');
    const path = fields[at + 1] ?? '';
    if (insideFolder(place, readable(path)) !== undefined) continue;
    staged.push(`${mode} ${object}\t${path}\0`);
    paths.push(`${path}\0`);
  }
  if (paths.length > 0) {
    const reset = ['restore', '--staged', '--pathspec-from-file=-', '--pathspec-file-nul'];
    const input = Buffer.from(paths.join(''), 'latin1');
    succeeded(await place.git.run(reset, { input, folder: place.repository.root, timeoutMs: WRITE_MS }), reset);
  }
  return Buffer.from(staged.join(''), 'latin1');
}

async function putBack(place: Place, staged: Buffer): Promise<void> {
  if (staged.length === 0) return;
  const args = ['update-index', '-z', '--index-info'];
  succeeded(await place.git.run(args, { input: staged, folder: place.repository.root, timeoutMs: WRITE_MS }), args);
}
