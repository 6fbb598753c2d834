import { constants } from 'node:fs';
import { PathError, readFileInside, statInside, writeFileInside } from '@fucina/shared';
import { gitError } from '../errors.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { binary, checkPath, pathInput, readable } from '../repository/paths.ts';
import { succeeded } from '../run/launcher.ts';

const MAX_FILES = 50;
const MAX_BYTES = 1024 * 1024;
/** Names of files with settings of one computer. */
const NAMES = [/^\.env(\..+)?$/, /^\.envrc$/, /^\.dev\.vars(\..+)?$/, /\.local(\.[^.]+)?$/, /^local\.properties$/];
const isLocal = (path: string): boolean => NAMES.some((name) => name.test(path.slice(path.lastIndexOf('/') + 1)));

/**
 * Ignored files with settings of this computer (`.env` and the like), which a new worktree does not have: at most 50, of
 * at most 1 MiB each. Files in ignored folders are left out. `place` is the root of the work tree.
 */
export async function listLocalFiles({ git, folder }: GitFolder): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const rows = binary(succeeded(await git.run(args), args)).split('\0');
  const named = rows.filter((row) => row !== '' && !row.endsWith('/')).map(readable);
  const found: string[] = [];
  for (const path of named.filter(isLocal)) {
    if (found.length < MAX_FILES && (await canCopy(folder, path))) found.push(path);
  }
  return found.sort();
}

async function canCopy(root: string, path: string): Promise<boolean> {
  try {
    const { stats } = await statInside(root, path);
    return stats.isFile() && stats.size <= MAX_BYTES;
  } catch (error) {
    if (error instanceof PathError) return false;
    throw error;
  }
}

/** Throws GIT_PATH_INVALID for a path that `listLocalFiles` does not have. */
export async function checkLocalFiles(place: GitFolder, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const wanted = [...new Set(paths.map(checkPath))];
  const known = new Set(await listLocalFiles(place));
  const unknown = wanted.find((path) => !known.has(path));
  if (unknown !== undefined) throw gitError('GIT_PATH_INVALID', { reason: 'local-file', params: { path: unknown } });
  return wanted;
}

/**
 * Copies them to the same place in a worktree. Files that it has already stay as they are. Throws GIT_PATH_INVALID for
 * one that would not be ignored there: it could be committed by mistake.
 */
export async function copyLocalFiles(from: GitFolder, to: GitFolder, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const args = ['check-ignore', '-z', '--stdin', '--no-index'];
  // This command refuses literal pathspecs; no path begins with the `:` of other ones.
  const environment = { GIT_LITERAL_PATHSPECS: '0' };
  const outcome = await to.git.run(args, { input: pathInput(paths), environment });
  const output = outcome.exitCode === 1 ? '' : binary(succeeded(outcome, args));
  const ignored = new Set(output.split('\0').map(readable));
  for (const path of paths) {
    if (!ignored.has(path)) throw gitError('GIT_PATH_INVALID', { reason: 'local-file', params: { path } });
    const { bytes, stats } = await readFileInside(from.folder, path, MAX_BYTES);
    const mode = stats.mode & (constants.S_IRWXU | constants.S_IRWXG | constants.S_IRWXO);
    try {
      await writeFileInside(to.folder, path, { data: bytes, createFolders: true, ifExists: 'fail', mode });
    } catch (error) {
      if (error instanceof PathError && error.problem === 'exists') continue;
      throw error;
    }
  }
}
