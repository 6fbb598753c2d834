import { gitError } from '../errors.ts';
import { headOf, type RepositoryState, readState } from '../reading/status.ts';
import { checkPaths, FROM_INPUT, pathInput } from '../repository/paths.ts';
import type { Place } from '../repository/place.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';

export interface Staged {
  paths: string[];
  state: RepositoryState;
}

export async function stage(place: Place, paths: readonly string[]): Promise<Staged> {
  const checked = checkPaths(paths);
  await addPaths(place, checked);
  return { paths: checked, state: await readState(place) };
}

/** Throws GIT_PATH_INVALID for a path that matches nothing or is ignored; then nothing is staged. */
export async function addPaths(
  place: Place,
  paths: readonly string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const input = pathInput(paths);
  // Where one of several paths is ignored, git stages the others and fails: it is asked first.
  for (const rehearsal of [['--dry-run'], []]) {
    const args = ['add', '--all', '--no-warn-embedded-repo', ...rehearsal, ...FROM_INPUT];
    const outcome = await place.git.run(args, { input, environment, timeoutMs: WRITE_MS });
    if (outcome.exitCode !== 0 && NO_MATCH.test(outcome.stderr)) throw gitError('GIT_PATH_INVALID');
    succeeded(outcome, args);
  }
}

const NO_MATCH = /did not match any|ignored by one of|beyond a symbolic link|is in submodule|outside repository/;

export async function unstage(place: Place, paths: readonly string[]): Promise<Staged> {
  const checked = checkPaths(paths);
  const isBorn = (await headOf(place.git)) !== undefined;
  const args = isBorn ? ['restore', '--staged', ...FROM_INPUT] : ['rm', '--cached', '-r', '-q', '-f', ...FROM_INPUT];
  const outcome = await place.git.run(args, { input: pathInput(checked), timeoutMs: WRITE_MS });
  if (outcome.exitCode !== 0 && NO_MATCH.test(outcome.stderr)) throw gitError('GIT_PATH_INVALID');
  succeeded(outcome, args);
  return { paths: checked, state: await readState(place) };
}
