import { textStart } from '@fucina/shared';
import { refuseConflicts } from '../changing/commits.ts';
import { gitError, rollBack } from '../errors.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import { headOf, type RepositoryState, readEntries, readStaged, readState, resolveCommit } from '../reading/status.ts';
import { type GitFolder, insideFolder } from '../repository/git-folder.ts';
import { putIndexEntries, readIndexEntries } from '../repository/index-file.ts';
import { PATHSPEC_FROM_STDIN, rawInput, readable } from '../repository/paths.ts';
import { rawKind } from '../repository/raw-files.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';
import { filesOf, IDENTITY, recordFiles, restoreStashedFiles, rollBackStash } from './stash-files.ts';

export interface Stash {
  /** 0 is the newest. */
  index: number;
  commit: string;
  message: string;
  /** The branch; null when detached. */
  branch: string | null;
  /** ISO 8601. */
  date: string;
}

export interface StashChoice {
  index: number;
  /** Hash of the entry that the user saw. */
  commit: string;
}

export interface Stashed {
  stashes: Stash[];
  state: RepositoryState;
}

const MAX_MESSAGE = 200;

export async function readStashes({ git }: GitFolder): Promise<Stash[]> {
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
      const [commit = '', subject = '', date = ''] = row.split('\0');
      const [, branch, message] = /^(?:WIP on|On) (.+?): (.*)$/.exec(subject) ?? [];
      return {
        index,
        commit,
        message: message ?? subject,
        branch: branch === '(no branch)' ? null : (branch ?? null),
        date,
      };
    });
}

/** Stashes the folder's changes. Throws GIT_NOTHING_TO_STASH, GIT_CONFLICTS. */
export async function stashChanges(
  place: GitFolder,
  { message, hasNew }: { message?: string; hasNew: boolean },
): Promise<Stashed> {
  await refuseConflicts(place);
  if ((await headOf(place.git)) === undefined) throw gitError('GIT_NOTHING_TO_STASH', { reason: 'no-commit' });
  const entries = await readEntries(place);
  const isToStash = entries.some(
    (entry) => (entry.isStaged || entry.isUnstaged || (hasNew && entry.kind === 'untracked')) && !entry.isRepository,
  );
  if (!isToStash) throw gitError('GIT_NOTHING_TO_STASH');
  const stashed = place.git.filters.length === 0 ? [] : await readEntries(place, 'all');
  await refuseFiltered(
    place,
    stashed.filter(({ kind }) => hasNew || kind !== 'untracked').map(({ rawPath }) => rawPath),
  );
  const text = textStart((message ?? '').replace(/[\p{Cc}]+/gu, ' ').trim(), MAX_MESSAGE);
  const staged = (await readStaged(place)).rawPaths;
  const outside = staged.filter((path) => insideFolder(place, readable(path)) === undefined);
  const touched = entries.filter((entry) => entry.isUnstaged).map(({ rawPath }) => rawPath);
  const kept = await readIndexEntries(place, [...new Set([...staged, ...touched])]);
  const before = await resolveCommit(place.git, 'refs/stash');
  try {
    const keptOutside = await readIndexEntries(place, outside);
    // A stash of some paths includes what is staged elsewhere: it is unstaged for the time being.
    await unstageRaw(place, outside);
    await runStash(place, hasNew, text);
    await putIndexEntries(place, keptOutside);
  } catch (error) {
    await rollBack(error, async () => {
      await rollBackStash(place, before);
      await putIndexEntries(place, kept);
    });
  }
  return { stashes: await readStashes(place), state: await readState(place) };
}

async function runStash(place: GitFolder, hasNew: boolean, text: string): Promise<void> {
  const paths = place.prefix === '' ? [] : ['--', `:(top,literal)${place.prefix}`];
  const options = [...(hasNew ? ['--include-untracked'] : []), ...(text === '' ? [] : [`--message=${text}`])];
  const args = ['stash', 'push', '--quiet', ...options, ...paths];
  // With literal pathspecs, git 2.39 leaves new files behind, so the magic is spelled out here.
  const environment = { GIT_LITERAL_PATHSPECS: '0', ...IDENTITY };
  succeeded(await place.git.run(args, { environment, timeoutMs: WRITE_MS }), args);
}

/**
 * Applies an entry and drops it. Throws GIT_STASH_CHANGED, GIT_STASH_OUTSIDE (it contains files of other folders),
 * GIT_STASH_CONFLICT; then nothing has changed.
 */
export async function popStash(place: GitFolder, choice: StashChoice): Promise<Stashed> {
  await checkChoice(place, choice);
  const { tracked, fresh } = await filesOf(place, choice.commit);
  if ([...tracked, ...fresh].some((path) => insideFolder(place, readable(path)) === undefined))
    throw gitError('GIT_STASH_OUTSIDE');
  const { root } = place.repository;
  for (const path of fresh)
    if ((await rawKind(root, path)) === 'file') throw gitError('GIT_STASH_CONFLICT', { reason: 'new-file' });
  await refuseFiltered(place, [...tracked, ...fresh], choice.commit);
  await refuseChanged(place, tracked);
  await rehearse(place, choice.commit);
  const kept = await recordFiles(place, { tracked, fresh });
  try {
    const args = ['stash', 'pop', '--quiet', `stash@{${choice.index}}`];
    const outcome = await place.git.run(args, { timeoutMs: WRITE_MS, environment: IDENTITY, isFilterChecked: true });
    if (outcome.exitCode !== 0) throw gitError('GIT_STASH_CONFLICT', { details: { stderr: outcome.stderr } });
  } catch (error) {
    await rollBack(error, () => restoreStashedFiles(place, kept));
  }
  return { stashes: await readStashes(place), state: await readState(place) };
}

/** Throws GIT_STASH_CHANGED. */
export async function dropStash(place: GitFolder, choice: StashChoice): Promise<Stash[]> {
  await checkChoice(place, choice);
  await place.git.text(['stash', 'drop', '--quiet', `stash@{${choice.index}}`], { timeoutMs: WRITE_MS });
  return readStashes(place);
}

async function checkChoice(place: GitFolder, { index, commit }: StashChoice): Promise<void> {
  const found = (await readStashes(place)).find((stash) => stash.index === index);
  if (found?.commit !== commit) throw gitError('GIT_STASH_CHANGED');
}

/** git notices a modified file too late: new files are restored by then. */
async function refuseChanged(place: GitFolder, tracked: readonly string[]): Promise<void> {
  const paths = new Set(tracked);
  const entries = await readEntries(place, 'all');
  if (entries.some((entry) => (entry.isUnstaged || entry.kind === 'untracked') && paths.has(entry.rawPath)))
    throw gitError('GIT_STASH_CONFLICT', { reason: 'changed-here' });
}

/** Simulates the merge of applying it, without touching a file. */
async function rehearse({ git }: GitFolder, commit: string): Promise<void> {
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

async function unstageRaw({ git, repository }: GitFolder, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const args = ['restore', '--staged', ...PATHSPEC_FROM_STDIN];
  const options = {
    input: rawInput(paths),
    folder: repository.root,
    timeoutMs: WRITE_MS,
    waitsForLock: true,
    isFilterChecked: true,
  };
  succeeded(await git.run(args, options), args);
}
