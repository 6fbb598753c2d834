import { lstat, readlink, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Ambient, isWithin, withExactFolder } from '@fucina/shared';
import { linksInGitFolders } from '../git-folder-links.ts';
import { isPlainFolder } from '../view/identity.ts';
import { linkedWorktree, type Outside } from '../view/worktree.ts';
import type { ControlFolder } from './control-folders.ts';

/** Links that a command left in git folders: git of the user would write through them. */
export interface LeftLinks {
  /**
   * After the command: removes links that were not there before it and lead out of their git folder, other than to
   * another git folder in the session's folder. Never rejects.
   */
  remove(): Promise<void>;
  /** For the command's result, as sentences. */
  notices(): string[];
}

export interface LeftLinksNeeds extends Outside {
  ambient: Ambient;
  /** Absolute real path of the session's folder. */
  folder: string;
  look(): Promise<readonly ControlFolder[]>;
}

/** A folder that a command cannot replace, with git folders in it. */
interface Around {
  /** Absolute real path: removals go from it to the link, one open folder after the other. */
  root: string;
  gitFolders: readonly string[];
}

const SHOWN = 10;

export async function watchLeftLinks(needs: LeftLinksNeeds): Promise<LeftLinks> {
  const { ambient, folder } = needs;
  const before = new Set((await linksIn(needs)).map(({ identity }) => identity));
  const removed: string[] = [];
  const left: string[] = [];
  return {
    async remove() {
      try {
        for (const { path, root, identity } of await linksIn(needs)) {
          if (before.has(identity)) continue;
          const name = relative(isWithin(folder, path) ? folder : dirname(root), path)
            .split(sep)
            .join('/');
          const isGone = await removeLink(root, path).catch((error: unknown) => {
            ambient.log.error('sandbox.git-link-left', { error });
            return false;
          });
          (isGone ? removed : left).push(name);
        }
      } catch (error) {
        ambient.log.error('sandbox.git-links-unchecked', { error });
      }
    },
    notices: () => [
      ...sentence(removed, 'Removed links that this command left in a git folder, because git writes through them'),
      ...sentence(left, 'Links that this command left in a git folder could not be removed'),
    ],
  };
}

function sentence(paths: readonly string[], what: string): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  return [`${what}: ${paths.slice(0, SHOWN).join(', ')}${more}.`];
}

interface SeenLink {
  path: string;
  root: string;
  /** Of a link that leads elsewhere now, another one. */
  identity: string;
}

async function linksIn(needs: LeftLinksNeeds): Promise<SeenLink[]> {
  const links: SeenLink[] = [];
  for (const { root, gitFolders } of await placesOf(needs)) {
    for (const { path, leadsTo } of await linksInGitFolders(gitFolders)) {
      const isShared = typeof leadsTo === 'object' && isWithin(needs.folder, leadsTo.shared);
      if (leadsTo === 'inside' || isShared) continue;
      const target = await readlink(path, 'latin1').catch(() => ''); // gone
      links.push({ path, root, identity: `${path}\0${target}` });
    }
  }
  return links;
}

async function placesOf({ folder, look, ...outside }: LeftLinksNeeds): Promise<Around[]> {
  const worktree = await linkedWorktree(folder, outside);
  const own = (await look())
    .filter(({ entries }) => entries.some((entry) => entry.name === '.git' && entry.isDirectory()))
    .map(({ path }): Around => ({ root: folder, gitFolders: [join(path, '.git')] }));
  if (!worktree || !isPlainFolder(worktree.commonDir)) return own;
  return [...own, { root: worktree.commonDir, gitFolders: [worktree.own, worktree.commonDir] }];
}

/** False if it is no link any more, or behind one. */
async function removeLink(root: string, path: string): Promise<boolean> {
  const parent = relative(root, dirname(path)).split(sep).join('/');
  return withExactFolder(root, parent, async (open) => {
    const entry = join(open, basename(path));
    if (!(await lstat(entry)).isSymbolicLink()) return false;
    await unlink(entry);
    return true;
  });
}
