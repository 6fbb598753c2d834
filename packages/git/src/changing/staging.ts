import { gitError } from '../errors.ts';
import { refuseFiltered } from '../programs/filtered-files.ts';
import { headOf, namesEntry, type RepositoryState, readEntries, readState } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { checkPaths, PATHSPEC_FROM_STDIN, pathInput, rawInput } from '../repository/paths.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';
import { acceptMarkers, conflictsAmong, refuseUnmergedMarkers } from './conflict-markers.ts';

export interface Staged {
  paths: string[];
  state: RepositoryState;
}

/**
 * Staging a file that is in conflict marks it as resolved: while its text has conflict markers, only with `takesMarkers`,
 * and then it is also committed with them.
 * Throws GIT_COMMAND_FAILED (`conflict-markers`), GIT_PATHS_REQUIRED, GIT_PATH_INVALID.
 */
export async function stage(
  place: GitFolder,
  paths: readonly string[],
  { takesMarkers = false } = {},
): Promise<Staged> {
  const checked = checkPaths(paths);
  if (!takesMarkers) await refuseUnmergedMarkers(place, checked);
  const taken = takesMarkers ? await conflictsAmong(place, checked) : [];
  await addPaths(place, checked);
  await acceptMarkers(place, taken);
  return { paths: checked, state: await readState(place) };
}

/**
 * Refuses changed files at or below the paths that an untrusted filter converts. What may be added: where the repository
 * has filters, those files one by one, so that none that appears meanwhile is among them.
 */
export async function checkedForFilters(place: GitFolder, paths: readonly string[]): Promise<Buffer> {
  if (place.git.filters.length === 0) return pathInput(paths);
  const entries = (await readEntries(place, 'all')).filter((entry) => namesEntry(paths, entry));
  const rawPaths = entries.map(({ rawPath }) => rawPath);
  await refuseFiltered(place, rawPaths);
  const isChanged = (path: string): boolean => entries.some((entry) => namesEntry([path], entry));
  const unchanged = pathInput(paths.filter((path) => !isChanged(path)));
  const prefix = place.prefix === '' ? 0 : Buffer.byteLength(place.prefix) + 1;
  return Buffer.concat([rawInput(rawPaths.map((path) => path.slice(prefix))), unchanged]);
}

/** Throws GIT_PATH_INVALID for a path that matches nothing or is ignored; then nothing is staged. */
export async function addPaths(
  place: GitFolder,
  paths: readonly string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const input = await checkedForFilters(place, paths);
  // If one of several paths is ignored, git stages the others and fails: check first.
  for (const rehearsal of [['--dry-run'], []]) {
    const args = ['add', '--all', '--no-warn-embedded-repo', ...rehearsal, ...PATHSPEC_FROM_STDIN];
    const outcome = await place.git.run(args, { input, environment, timeoutMs: WRITE_MS, isFilterChecked: true });
    if (outcome.exitCode !== 0 && NO_MATCH.test(outcome.stderr)) throw gitError('GIT_PATH_INVALID');
    succeeded(outcome, args);
  }
}

const NO_MATCH = /did not match any|ignored by one of|beyond a symbolic link|is in submodule|outside repository/;

export async function unstage(place: GitFolder, paths: readonly string[]): Promise<Staged> {
  const checked = checkPaths(paths);
  const isBorn = (await headOf(place.git)) !== undefined;
  const args = isBorn
    ? ['restore', '--staged', ...PATHSPEC_FROM_STDIN]
    : ['rm', '--cached', '-r', '-q', '-f', ...PATHSPEC_FROM_STDIN];
  const outcome = await place.git.run(args, { input: pathInput(checked), timeoutMs: WRITE_MS, isFilterChecked: true });
  if (outcome.exitCode !== 0 && NO_MATCH.test(outcome.stderr)) throw gitError('GIT_PATH_INVALID');
  succeeded(outcome, args);
  return { paths: checked, state: await readState(place) };
}
