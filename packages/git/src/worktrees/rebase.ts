import { readSigning } from '../programs/signing.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { WRITE_MS } from '../run/launcher.ts';
import { looseCommit, rehearseMerge, treeOf } from './snapshot.ts';

export interface Replayed {
  /** The last commit, which no branch has yet. */
  commit: string;
  /** Files of the first commit that does not apply; then `commit` is the one before it. */
  conflicts: string[];
}

/**
 * The commits from `base` to `last` once more, each with its message, author and date, on top of `onto`, as
 * `git rebase` makes them: merges are left out, and so are commits that change nothing any more. No file and no
 * reference is touched.
 */
export async function replayCommits(
  place: GitFolder,
  { base, last, onto }: { base: string; last: string; onto: string },
): Promise<Replayed> {
  const args = ['rev-list', '--reverse', '--topo-order', '--no-merges', `${base}..${last}`, '--'];
  const commits = (await place.git.text(args)).split('\n').filter(Boolean);
  let commit = onto;
  for (const original of commits) {
    const parent = await parentOf(place, original);
    // A commit with the same tree after the original's parent: what is merged is then the change of the original alone.
    const here = parent === undefined ? commit : await looseCommit(place, await treeOf(place, commit), parent);
    const { tree, conflicts } = await rehearseMerge(place, here, original);
    if (conflicts.length > 0) return { commit, conflicts };
    if (tree !== (await treeOf(place, commit))) commit = await copyCommit(place, original, { tree, parent: commit });
  }
  return { commit, conflicts: [] };
}

async function parentOf({ git }: GitFolder, commit: string): Promise<string | undefined> {
  const [, parent] = (await git.text(['rev-list', '--parents', '-1', commit, '--'])).trim().split(' ');
  return parent;
}

/** With the committer of this repository. */
async function copyCommit(
  place: GitFolder,
  original: string,
  { tree, parent }: { tree: string; parent: string },
): Promise<string> {
  const format = '--format=%an%x00%ae%x00%ad%x00%B';
  const { git } = place;
  const facts = await git.text(['show', '--no-patch', '--no-notes', '--date=raw', format, original, '--']);
  const [name = '', email = '', date = '', message = ''] = facts.split('\0');
  const environment = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  const { isSigned, options } = await readSigning(place);
  const args = ['commit-tree', tree, '-p', parent, ...(isSigned ? ['-S'] : []), '-F', '-'];
  const input = Buffer.from(`${message.trimEnd()}\n`);
  return (await git.text(args, { ...options, environment, input, timeoutMs: WRITE_MS })).trim();
}
