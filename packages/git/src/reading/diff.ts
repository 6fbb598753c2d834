import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isAppError, statInside } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { type GitFolder, inRepository } from '../repository/git-folder.ts';
import { announcing, withIndexCopy } from '../repository/index-copy.ts';
import {
  binary,
  checkPath,
  diffOfPaths,
  PATHSPEC_FROM_STDIN,
  pathArguments,
  pathInput,
  readable,
} from '../repository/paths.ts';
import { succeeded } from '../run/launcher.ts';
import type { ConfigEntry } from '../run/overrides.ts';
import { type CommitName, readBase } from './status.ts';

export type DiffArea = 'staged' | 'work';

export interface FileDiff {
  path: string;
  area: DiffArea;
  base: CommitName | null;
  /** Unified diff, at most 1 MiB, cut at a line end. */
  text: string;
  isCut: boolean;
  isBinary: boolean;
  /** SHA-256 of the whole diff, before truncation. */
  fingerprint: string;
}

const MAX_TEXT_BYTES = 1024 * 1024;

/** The format of every diff, shown or applied, independent of the user's settings. */
export const DIFF_FORM = [
  '--patch',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--full-index',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--unified=3',
  '--inter-hunk-context=0',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--find-renames',
];

/** Throws GIT_PATH_INVALID, GIT_PATH_UNCHANGED. */
export async function readDiff(place: GitFolder, path: string, area: DiffArea): Promise<FileDiff> {
  const checked = checkPath(path);
  const [bytes, base] = await Promise.all([diffBytes(place, checked, area), afterStart(() => readBase(place))]);
  if (bytes.length === 0) throw gitError('GIT_PATH_UNCHANGED');
  return { path: checked, area, base, ...shownDiff(bytes) };
}

/** The whole diff of one file as git prints it; empty when there is none. */
export async function diffBytes(place: GitFolder, path: string, area: DiffArea): Promise<Buffer> {
  if (area === 'work') {
    const [tracked] = await Promise.all([runDiff(place, [path]), afterStart(() => refuseFolder(place, path))]);
    return tracked.length > 0 || !(await isUntracked(place, path)) ? tracked : untrackedDiff(place, [path]);
  }
  await refuseFolder(place, path);
  const old = await oldName(place, path);
  return runDiff(place, old === undefined ? [path] : [old, path], { isStaged: true });
}

/** What the disk says is asked while git runs, not before it starts. */
async function afterStart<Value>(ask: () => Promise<Value>): Promise<Value> {
  await yieldToOthers();
  return ask();
}

export function shownDiff(bytes: Buffer): Pick<FileDiff, 'text' | 'isCut' | 'isBinary' | 'fingerprint'> {
  const isCut = bytes.length > MAX_TEXT_BYTES;
  const end = isCut ? bytes.lastIndexOf(0x0a, MAX_TEXT_BYTES) + 1 || MAX_TEXT_BYTES : bytes.length;
  return {
    text: bytes.subarray(0, end).toString('utf8'),
    isCut,
    isBinary: /^Binary files .* differ$/m.test(headerOf(bytes)),
    fingerprint: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** The lines before the first hunk. */
export function headerOf(bytes: Buffer): string {
  const at = bytes.indexOf('\n@@');
  return bytes.subarray(0, at < 0 ? Math.min(bytes.length, 65_536) : at + 1).toString('latin1');
}

interface DiffOptions {
  isStaged?: boolean;
  /** Another index file. */
  index?: string;
  /** Compares the work tree with this commit. */
  commit?: string;
}

export async function runDiff(
  place: GitFolder,
  paths: readonly string[],
  { isStaged = false, index, commit }: DiffOptions = {},
): Promise<Buffer> {
  const { args: specs, environment } = pathArguments(paths);
  const args = ['diff', ...DIFF_FORM, ...(isStaged ? ['--cached'] : []), ...(commit === undefined ? [] : [commit])];
  const env = { ...environment, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
  const settings = paths.length <= FEW_PATHS ? WITHOUT_PRELOAD : [];
  const outcome = await place.git.run([...args, '--', ...specs], { environment: env, settings });
  return diffOfPaths(succeeded(outcome, args), paths);
}

/** git would start a thread for every 500 files of the repository, up to 20, to look at these few. */
const WITHOUT_PRELOAD: readonly ConfigEntry[] = [['core.preloadIndex', 'false']];
const FEW_PATHS = 16;

/** True for a file that git neither tracks nor ignores. */
export async function isUntracked(place: GitFolder, path: string): Promise<boolean> {
  const { args: specs, environment } = pathArguments([path]);
  const list = ['ls-files', '-z', '--others', '--exclude-standard', '--', ...specs];
  const listed = succeeded(await place.git.run(list, { environment }), list);
  return binary(listed)
    .split('\0')
    .some((name) => readable(name) === path);
}

/** The diff with the last of the paths, an untracked file, as if it were about to be added. */
export async function untrackedDiff(
  place: GitFolder,
  paths: readonly string[],
  options: Pick<DiffOptions, 'commit'> = {},
): Promise<Buffer> {
  return withIndexCopy(place, async (index) => {
    const add = ['add', '--intent-to-add', ...PATHSPEC_FROM_STDIN];
    const input = pathInput(paths.slice(-1));
    succeeded(await place.git.run(add, { input, environment: announcing(index) }), add);
    return runDiff(place, paths, { ...options, index });
  });
}

/** The old path of a staged rename; undefined otherwise. */
async function oldName(place: GitFolder, path: string): Promise<string | undefined> {
  const options = ['--cached', '--name-status', '-z', '--find-renames', '--diff-filter=R', '--relative'];
  const args = ['diff', ...options, '--ignore-submodules=dirty', '--no-ext-diff', '--no-textconv', '--', '.'];
  const fields = binary(succeeded(await place.git.run(args), args)).split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    if (readable(fields[at + 2] ?? '') === path) return readable(fields[at + 1] ?? '');
  }
  return undefined;
}

async function refuseFolder(place: GitFolder, path: string): Promise<void> {
  if (await isFolder(place, path)) throw gitError('GIT_PATH_INVALID', { reason: 'folder' });
}

/** A submodule is a folder, too, but has its own diff. */
export async function isFolder(place: GitFolder, path: string): Promise<boolean> {
  try {
    const { stats } = await statInside(place.repository.root, inRepository(place, path));
    if (!stats.isDirectory()) return false;
  } catch (error) {
    if (isAppError(error)) throw error;
    return false; // deleted, a link that points elsewhere, or a name that only git accepts: not a folder
  }
  const { args: specs, environment } = pathArguments([path]);
  const args = ['ls-files', '-s', '-z', '--', ...specs];
  const entries = binary(succeeded(await place.git.run(args, { environment }), args))
    .split('\0')
    .filter(Boolean);
  return !(entries.length === 1 && entries[0]?.startsWith('160000 '));
}
