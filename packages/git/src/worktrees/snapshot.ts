import { refuseConflicts } from '../changing/commits.ts';
import { gitError } from '../errors.ts';
import { headOf, readEntries } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { withIndexCopy } from '../repository/index-copy.ts';
import { binary, PATHSPEC_FROM_STDIN, rawInput, readable } from '../repository/paths.ts';
import { succeeded, WRITE_MS } from '../run/launcher.ts';
import { IDENTITY } from '../stashes/stash-files.ts';

/** What is on disk in a whole work tree, as a tree of git; nothing in the work tree or its index changes. */
export interface Snapshot {
  /** The commit that the tree differs from. */
  head: string;
  tree: string;
  isChanged: boolean;
}

/**
 * Tracked files as they are on disk, and new ones that are not ignored; nested repositories are left out. `place` is
 * the root of the work tree. Throws GIT_CONFLICTS, and GIT_COMMIT_UNKNOWN before the first commit.
 */
export async function takeSnapshot(place: GitFolder): Promise<Snapshot> {
  await refuseConflicts(place);
  const head = await headOf(place.git);
  if (head === undefined) throw gitError('GIT_COMMIT_UNKNOWN', { reason: 'no-commit' });
  const entries = (await readEntries(place, 'all')).filter(({ isRepository, isFolder }) => !isRepository && !isFolder);
  const touched = entries.filter(({ isUnstaged, kind }) => isUnstaged || kind === 'untracked');
  const tree = await withIndexCopy(place, async (index) => {
    const options = { environment: { GIT_INDEX_FILE: index }, timeoutMs: WRITE_MS };
    if (touched.length > 0) {
      const args = ['add', '--all', ...PATHSPEC_FROM_STDIN];
      succeeded(
        await place.git.run(args, { ...options, input: rawInput(touched.map(({ rawPath }) => rawPath)) }),
        args,
      );
    }
    return (await place.git.text(['write-tree'], options)).trim();
  });
  return { head, tree, isChanged: tree !== (await treeOf(place, head)) };
}

/** A commit that no branch has: the given tree after one commit. */
export async function looseCommit(place: GitFolder, tree: string, parent: string): Promise<string> {
  const args = ['commit-tree', tree, '-p', parent, '-m', 'Uncommitted changes'];
  return (await place.git.text(args, { environment: IDENTITY, timeoutMs: WRITE_MS })).trim();
}

export async function treeOf({ git }: GitFolder, commit: string): Promise<string> {
  return (await git.text(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`])).trim();
}

export interface Rehearsal {
  /** The merged tree; with conflicts in the files listed. */
  tree: string;
  conflicts: string[];
}

/** What merging two commits would give; touches no file and no reference. */
export async function rehearseMerge({ git }: GitFolder, ours: string, theirs: string): Promise<Rehearsal> {
  const args = ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages', ours, theirs];
  const outcome = await git.run(args, { environment: IDENTITY, timeoutMs: WRITE_MS });
  const output = outcome.exitCode === 1 ? outcome.stdout : succeeded(outcome, args);
  const [tree = '', ...names] = binary(output).split('\0');
  return { tree, conflicts: outcome.exitCode === 1 ? [...new Set(names.filter(Boolean).map(readable))] : [] };
}
