import { copyBeforePick, putBack, storeDiscard } from '../changing/discards.ts';
import { patchOf } from '../changing/hunks.ts';
import { gitError, rollBack } from '../errors.ts';
import { branchPointBytes, type FileSince } from '../reading/branch-point.ts';
import { shownDiff } from '../reading/diff.ts';
import { type IncomingFiles, incomingFiles } from '../remotes/pull-files.ts';
import { type GitFolder, inRepository } from '../repository/git-folder.ts';
import { withIndexCopy } from '../repository/index-copy.ts';
import { PATHSPEC_FROM_STDIN, pathInput, rawInput, readable } from '../repository/paths.ts';
import { rawExists, removeEmptyAbove, removeRaw } from '../repository/raw-files.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';
import { looseCommit, rehearseMerge, type Snapshot, takeSnapshot } from './snapshot.ts';

/** A changed file of a work tree, as the diff since a commit showed it. */
export interface PickedFile extends FileSince {
  /** Of that diff. */
  fingerprint: string;
  /** From 0, in its order; the whole file without them. */
  hunks?: readonly number[] | undefined;
}

/** What to take from one work tree. */
export interface Pick {
  place: GitFolder;
  files: readonly PickedFile[];
}

export interface PickedChanges {
  /** False in a rehearsal, and when files conflict: then nothing has changed. */
  isApplied: boolean;
  /** Paths in the repository, each with the number of the pick that conflicts with the folder or with an earlier pick. */
  conflicts: { pick: number; path: string }[];
  /** Paths in the repository that changed, or would. */
  paths: string[];
  /** For `undoDiscard`; null when nothing was applied, or the disk had no room. */
  undoId: string | null;
}

/**
 * Merges chosen files and hunks of several work trees into the files of another one on disk, uncommitted changes
 * included; its index and branch stay. All or nothing. Neither side needs to rest: GIT_DIFF_CHANGED when a chosen file is
 * not what the diff showed, or a file of the target changes in the meantime. Throws GIT_PATHS_REQUIRED, GIT_PATH_INVALID,
 * GIT_PATH_UNCHANGED when nothing would change, GIT_HUNK_INVALID, GIT_HUNK_UNSUPPORTED,
 * GIT_COMMIT_INVALID, GIT_COMMIT_UNKNOWN, GIT_WORKTREE_DIRTY (`ignored-in-the-way`), GIT_OUTPUT_TOO_LARGE when undo would
 * need too much room, and the codes of `takeSnapshot`.
 */
export async function pickChanges(
  target: GitFolder,
  picks: readonly Pick[],
  { isRehearsal }: { isRehearsal: boolean },
): Promise<PickedChanges> {
  if (picks.every(({ files }) => files.length === 0)) throw gitError('GIT_PATHS_REQUIRED');
  const here = await takeSnapshot(target);
  const { tree, conflicts } = await mergePicks(target, here.tree, picks);
  const incoming = await incomingFiles(target, here.tree, tree);
  const raw = [...incoming.added, ...incoming.changed];
  const paths = raw.map(readable).sort();
  if (conflicts.length > 0) return { isApplied: false, conflicts, paths: [], undoId: null };
  if (paths.length === 0) throw gitError('GIT_PATH_UNCHANGED');
  await refuseIgnored(target, incoming);
  if (isRehearsal) return { isApplied: false, conflicts: [], paths, undoId: null };
  const undoId = await writeTree(target, { here, tree, raw });
  return { isApplied: true, conflicts: [], paths, undoId: undoId ?? null };
}

async function mergePicks(
  target: GitFolder,
  start: string,
  picks: readonly Pick[],
): Promise<{ tree: string; conflicts: PickedChanges['conflicts'] }> {
  const conflicts: PickedChanges['conflicts'] = [];
  let tree = start;
  for (const [pick, { place, files }] of picks.entries()) {
    for (const from of new Set(files.map((file) => file.from))) {
      const own = await pickedTree(
        place,
        files.filter((file) => file.from === from),
      );
      // The chosen changes are seen from the commit that their diff begins with, whatever the target has committed.
      const ours = await looseCommit(target, tree, from);
      const merged = await rehearseMerge(target, ours, await looseCommit(target, own, from));
      conflicts.push(...merged.conflicts.map((path) => ({ pick, path })));
      if (merged.conflicts.length === 0) tree = merged.tree;
    }
  }
  return { tree, conflicts };
}

/** The commit's tree with the chosen changes alone. */
async function pickedTree(place: GitFolder, files: readonly PickedFile[]): Promise<string> {
  return withIndexCopy(place, async (index) => {
    const options = { environment: { GIT_INDEX_FILE: index }, timeoutMs: WRITE_MS, folder: place.repository.root };
    await place.git.text(['read-tree', files[0]?.from ?? ''], options);
    for (const file of files) {
      const { bytes, path } = await branchPointBytes(place, file);
      if (bytes.length === 0 || shownDiff(bytes).fingerprint !== file.fingerprint)
        throw gitError('GIT_DIFF_CHANGED', { params: { path } });
      if (file.hunks) {
        const args = ['apply', '--cached', '--whitespace=nowarn', '--no-ignore-whitespace', '-'];
        const outcome = await place.git.run(args, { ...options, input: patchOf(bytes, file.hunks) });
        if (outcome.exitCode !== 0)
          throw gitError('GIT_DIFF_CHANGED', { params: { path }, details: { stderr: outcome.stderr } });
      } else {
        const names = [...(file.previous === undefined ? [] : [file.previous]), path];
        const args = ['add', '--all', ...PATHSPEC_FROM_STDIN];
        const input = pathInput(names.map((name) => inRepository(place, name)));
        succeeded(await place.git.run(args, { ...options, input }), args);
      }
    }
    return (await place.git.text(['write-tree'], options)).trim();
  });
}

/** A new file would replace one that git ignores here. */
async function refuseIgnored({ repository }: GitFolder, { added }: IncomingFiles): Promise<void> {
  for (const path of added)
    if (await rawExists(repository.root, path))
      throw gitError('GIT_WORKTREE_DIRTY', { reason: 'ignored-in-the-way', params: { path: readable(path) } });
}

interface Written {
  /** The files as they were when the changes were merged. */
  here: Snapshot;
  tree: string;
  raw: readonly string[];
}

/** The id of the undo. */
async function writeTree(target: GitFolder, { here, tree, raw }: Written): Promise<string | undefined> {
  const { repository } = target;
  const before = await copyBeforePick(repository, raw);
  try {
    await refuseChanged(target, here, raw);
  } catch (error) {
    await storeDiscard(target, before, []);
    throw error;
  }
  try {
    await restoreFrom(target, await looseCommit(target, tree, here.head), raw);
  } catch (error) {
    await rollBack(error, () => putBack(repository, before, raw));
  }
  return storeDiscard(target, before, raw);
}

/** GIT_DIFF_CHANGED when one of the files is not as it was. */
async function refuseChanged(target: GitFolder, here: Snapshot, raw: readonly string[]): Promise<void> {
  const now = await takeSnapshot(target);
  if (now.tree === here.tree) return;
  const { added, changed } = await incomingFiles(target, here.tree, now.tree);
  const moved = new Set([...added, ...changed]);
  const path = raw.find((one) => moved.has(one));
  if (path !== undefined) throw gitError('GIT_DIFF_CHANGED', { params: { path: readable(path) } });
}

async function restoreFrom(target: GitFolder, commit: string, raw: readonly string[]): Promise<void> {
  const { git, repository } = target;
  const list = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit];
  const held = new Set(
    succeeded(await git.run(list), list)
      .toString('latin1')
      .split('\0'),
  );
  const written = raw.filter((path) => held.has(path));
  for (const path of raw.filter((one) => !held.has(one))) {
    await removeRaw(repository.root, path);
    await removeEmptyAbove(repository.root, path, '');
  }
  if (written.length === 0) return;
  const args = ['restore', `--source=${commit}`, '--worktree', '--no-recurse-submodules', ...PATHSPEC_FROM_STDIN];
  const options = { input: rawInput(written), timeoutMs: WRITE_MS, folder: repository.root };
  succeeded(await git.run(args, options), args);
}
