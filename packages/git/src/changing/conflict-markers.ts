import { createHash } from 'node:crypto';
import { PathError, readFileInside } from '@fucina/shared';
import { gitError } from '../errors.ts';
import type { ChangedEntry, Staged } from '../reading/status.ts';
import { type GitFolder, insideFolder } from '../repository/git-folder.ts';
import { binary, readable } from '../repository/paths.ts';

/**
 * Conflict markers in files that are, or were, in conflict: other files may have such lines for a reason. Paths are
 * relative to the repository, as text.
 */

const MARKERS = [/^<{7}(?: |\r?$)/m, /^={7}\r?$/m, /^>{7}(?: |\r?$)/m];
const MAX_TEXT_BYTES = 64 * 1024 ** 2;

/** Texts that the user staged with their markers, by git folder; the newest of each, until this process ends. */
const accepted = new Map<string, Set<string>>();
const MAX_ACCEPTED = 1_000;

/** Throws GIT_COMMAND_FAILED (`conflict-markers`) for a file in conflict, at or below these paths of the folder. */
export async function refuseUnmergedMarkers(place: GitFolder, paths: readonly string[]): Promise<void> {
  for (const path of await listed(place, '--unmerged'))
    if (isNamed(place, path, paths) && (await textOnDisk(place, path)) !== undefined)
      throw refusal('conflict-markers', place, path);
}

/** Files at or below these paths of the folder that are in conflict, or were since they were last committed. */
export async function conflictsAmong(place: GitFolder, paths: readonly string[]): Promise<string[]> {
  const all = [...(await listed(place, '--unmerged')), ...(await listed(place, '--resolve-undo'))];
  return [...new Set(all)].filter((path) => isNamed(place, path, paths));
}

/** The user wants these files as they are, on disk and staged. */
export async function acceptMarkers(place: GitFolder, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const { gitDir } = place.repository;
  const known = accepted.get(gitDir) ?? new Set();
  for (const path of paths)
    for (const text of [await textOnDisk(place, path), await textStaged(place, `:${path}`)])
      if (text !== undefined) known.add(printOf(path, text));
  for (const oldest of [...known].slice(0, -MAX_ACCEPTED)) known.delete(oldest);
  accepted.set(gitDir, known);
}

/**
 * Another program may have staged a file in conflict as it was. Throws GIT_COMMAND_FAILED (`conflict-markers-staged`)
 * when what is staged of such a file has markers that the user did not accept.
 */
export async function refuseStagedMarkers(place: GitFolder, { paths, objects }: Staged): Promise<void> {
  if (paths.length === 0) return;
  const resolved = await listed(place, '--resolve-undo');
  for (const [at, path] of paths.entries())
    if (resolved.has(path)) refuseText(place, path, await textStaged(place, objects[at] ?? ''));
}

/** Refuses changed files that are committed as they are on disk, with markers. */
export async function refuseMarkersOnDisk(place: GitFolder, entries: readonly ChangedEntry[]): Promise<void> {
  const resolved = await listed(place, '--resolve-undo');
  for (const { repositoryPath } of entries)
    if (resolved.has(repositoryPath)) refuseText(place, repositoryPath, await textOnDisk(place, repositoryPath));
}

function refuseText(place: GitFolder, path: string, text: string | undefined): void {
  if (text === undefined || accepted.get(place.repository.gitDir)?.has(printOf(path, text))) return;
  throw refusal('conflict-markers-staged', place, path);
}

function refusal(reason: string, place: GitFolder, path: string): Error {
  return gitError('GIT_COMMAND_FAILED', { reason, params: { path: insideFolder(place, path) ?? path } });
}

function isNamed(place: GitFolder, repositoryPath: string, paths: readonly string[]): boolean {
  const path = insideFolder(place, repositoryPath);
  return path !== undefined && paths.some((named) => path === named || path.startsWith(`${named}/`));
}

/** git remembers which conflicts were resolved by staging a file, also after the commit. */
async function listed({ git, repository }: GitFolder, which: '--unmerged' | '--resolve-undo'): Promise<Set<string>> {
  const outcome = await git.run(['ls-files', which, '-z', '--full-name'], { folder: repository.root });
  // An index that cannot be read: the write that follows is refused, by the name of what is wrong.
  if (outcome.exitCode !== 0) return new Set();
  const rows = binary(outcome.stdout).split('\0').filter(Boolean);
  // Up to three stages of each file.
  return new Set(rows.map((row) => readable(row.slice(row.indexOf('\t') + 1))));
}

/** Undefined if it has no markers: deleted, a link or a folder, too. */
async function textOnDisk({ repository }: GitFolder, path: string): Promise<string | undefined> {
  try {
    return marked((await readFileInside(repository.root, path, MAX_TEXT_BYTES)).bytes);
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

/** By the name of an object, or `:` and a path; undefined also if there is none. */
async function textStaged({ git, repository }: GitFolder, object: string): Promise<string | undefined> {
  const { exitCode, stdout } = await git.run(['cat-file', 'blob', object], { folder: repository.root });
  return exitCode === 0 ? marked(stdout) : undefined;
}

function marked(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  return MARKERS.every((marker) => marker.test(text)) ? text : undefined;
}

/** Line ends may differ between disk and index. */
const printOf = (path: string, text: string): string =>
  createHash('sha256')
    .update(`${path}\0${text.replaceAll('\r\n', '\n')}`)
    .digest('hex');
