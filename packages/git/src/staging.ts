import { PathError, removeInside } from '@fucina/shared';
import { gitError } from './errors.ts';
import { succeeded, WRITE_MS } from './launcher.ts';
import { checkPaths, FROM_INPUT, pathInput } from './paths.ts';
import type { Place } from './place.ts';
import { type ChangedEntry, headOf, type RepositoryState, readEntries, readState } from './status.ts';

export interface Staged {
  paths: string[];
  state: RepositoryState;
}

export interface Discarded {
  /** Tracked files, back as they are in the index. */
  restored: string[];
  /** New files and folders, gone. */
  removed: string[];
  state: RepositoryState;
}

export async function stage(place: Place, paths: readonly string[]): Promise<Staged> {
  const checked = checkPaths(paths);
  await addPaths(place, checked);
  return { paths: checked, state: await readState(place) };
}

/** Throws GIT_PATH_INVALID for a path that matches nothing or is ignored; then nothing is staged. */
export async function addPaths(place: Place, paths: readonly string[]): Promise<void> {
  const input = await pathInput(place, paths);
  // Where one of several paths is ignored, git stages the others and fails: it is asked first.
  for (const rehearsal of [['--dry-run'], []]) {
    const args = ['add', '--all', '--no-warn-embedded-repo', ...rehearsal, ...FROM_INPUT];
    const outcome = await place.git.run(args, { input, timeoutMs: WRITE_MS });
    if (outcome.exitCode !== 0 && NO_MATCH.test(outcome.stderr)) throw gitError('GIT_PATH_INVALID');
    succeeded(outcome, args);
  }
}

const NO_MATCH = /did not match any|ignored by one of|beyond a symbolic link|is in submodule|outside repository/;

export async function unstage(place: Place, paths: readonly string[]): Promise<Staged> {
  const checked = checkPaths(paths);
  const isBorn = (await headOf(place.git)) !== undefined;
  const args = isBorn ? ['restore', '--staged', ...FROM_INPUT] : ['rm', '--cached', '-r', '-q', '-f', ...FROM_INPUT];
  const outcome = await place.git.run(args, { input: await pathInput(place, checked), timeoutMs: WRITE_MS });
  if (outcome.exitCode !== 0 && NO_MATCH.test(outcome.stderr)) throw gitError('GIT_PATH_INVALID');
  succeeded(outcome, args);
  return { paths: checked, state: await readState(place) };
}

/** Throws GIT_NOTHING_TO_DISCARD, GIT_CONFLICTS, GIT_NESTED_REPO; what is staged stays. */
export async function discard(place: Place, paths: readonly string[]): Promise<Discarded> {
  const checked = checkPaths(paths);
  const entries = (await readEntries(place, 'all')).filter((entry) => isNamed(entry, checked));
  if (entries.some((entry) => entry.isConflict)) throw gitError('GIT_CONFLICTS');
  const changed = entries.filter((entry) => entry.isUnstaged || entry.kind === 'untracked');
  if (changed.some((entry) => entry.isRepository)) throw gitError('GIT_NESTED_REPO');
  if (changed.length === 0) throw gitError('GIT_NOTHING_TO_DISCARD');
  const restored = changed.filter((entry) => entry.isUnstaged).map(({ path }) => path);
  const removed = changed.filter((entry) => !entry.isUnstaged).map(({ path }) => path);
  if (restored.length > 0) {
    const args = ['restore', '--worktree', '--no-recurse-submodules', ...FROM_INPUT];
    succeeded(await place.git.run(args, { input: await pathInput(place, restored), timeoutMs: WRITE_MS }), args);
  }
  for (const path of removed) await remove(place, path);
  return { restored, removed, state: await readState(place) };
}

function isNamed({ path }: ChangedEntry, paths: readonly string[]): boolean {
  return paths.some((named) => path === named || path.startsWith(`${named}/`));
}

async function remove({ folder }: Place, path: string): Promise<void> {
  try {
    await removeInside(folder, path);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    if (error.problem === 'missing') return;
    throw gitError('GIT_PATH_INVALID', { reason: error.problem, cause: error });
  }
}
