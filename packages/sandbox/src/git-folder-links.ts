import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isWithin, systemCode } from '@fucina/shared';

export interface GitFolderLink {
  /** Absolute. */
  path: string;
  /** The git folder that it is in. */
  root: string;
  /**
   * `inside`: what it leads to is in one of the given git folders, as links of git are. Else the same part of another
   * git folder, absolute real path, which is how `git-new-workdir` and `repo` share one; undefined for any other place.
   */
  leadsTo: 'inside' | { shared: string } | undefined;
}

/**
 * Parts of a git folder that git writes below: each with how many levels of folders are looked at. Objects are written
 * under new names and then renamed, which replaces a link: only links in the place of their folders matter.
 */
const WRITTEN_FOLDERS: Readonly<Record<string, number>> = {
  info: 1,
  logs: Number.POSITIVE_INFINITY,
  objects: 1,
  'rebase-apply': 1,
  'rebase-merge': 1,
  refs: Number.POSITIVE_INFINITY,
  sequencer: 1,
};

/** Parts that git only reads, so that a link there leads no write elsewhere. */
const ONLY_READ: ReadonlySet<string> = new Set(['branches', 'description', 'hooks', 'remotes', 'svn']);

/** Links among what git writes in the folders of one repository: its own, and the one that all work trees share. */
export async function linksInGitFolders(roots: readonly string[]): Promise<GitFolderLink[]> {
  const links: GitFolderLink[] = [];
  for (const root of roots)
    for (const path of await linksBelow(root)) links.push({ path, root, leadsTo: await placeOf(path, root, roots) });
  return links;
}

async function linksBelow(root: string): Promise<string[]> {
  const links: string[] = [];
  const look = async (folder: string, depth: number, isTop: boolean): Promise<void> => {
    for (const entry of await entriesOf(folder)) {
      if (isTop && ONLY_READ.has(entry.name)) continue;
      const path = join(folder, entry.name);
      const below = isTop ? (WRITTEN_FOLDERS[entry.name] ?? 0) : depth;
      if (entry.isSymbolicLink()) links.push(path);
      else if (entry.isDirectory() && below > 0) await look(path, below - 1, false);
    }
  };
  await look(root, 0, true);
  return links;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // The folder went away meanwhile.
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

async function placeOf(link: string, root: string, roots: readonly string[]): Promise<GitFolderLink['leadsTo']> {
  const target = await targetOf(link);
  if (target === undefined) return undefined;
  if (roots.some((one) => isWithin(one, target) && target !== one)) return 'inside';
  const part = relative(root, link);
  if (!target.endsWith(`${sep}${part}`)) return undefined;
  return (await isGitFolder(target.slice(0, -part.length - 1))) ? { shared: target } : undefined;
}

/** Also of a link to a file that does not exist yet. */
async function targetOf(link: string): Promise<string | undefined> {
  try {
    return await realpath(link);
  } catch {
    try {
      const asked = resolve(dirname(link), await readlink(link));
      return join(await realpath(dirname(asked)), basename(asked));
    } catch {
      // A folder on the way is missing, or links refer to each other.
      return undefined;
    }
  }
}

async function isGitFolder(folder: string): Promise<boolean> {
  const kinds = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) =>
      stat(join(folder, name)).then(
        (stats) => (stats.isDirectory() ? 'folder' : 'file'),
        () => 'missing',
      ),
    ),
  );
  return kinds.join() === 'file,folder,folder';
}
