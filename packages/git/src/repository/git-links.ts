import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isWithin, systemCode } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { commonDirOf, type Repository } from './repository.ts';

/** Parts of a git folder that git writes below: each with how many levels of folders are looked at. */
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

/**
 * Refuses a repository in whose git folder something that git writes is a link to another place: git follows it. Links
 * that stay in the git folder are git's own, and those to the same part of another git folder are how `git-new-workdir`
 * and `repo` share one: the targets of those are returned, absolute real paths. Throws GIT_COMMAND_FAILED
 * (`link-in-git-folder`).
 */
export async function refuseLinks(repository: Repository): Promise<string[]> {
  const common = await commonDirOf(repository);
  const roots = [...new Set([repository.gitDir, common])];
  const shared: string[] = [];
  for (const root of roots) {
    for (const path of await linksBelow(root)) {
      if (await staysIn(roots, path)) continue;
      const target = await sharedTarget(path, root);
      if (target === undefined)
        throw gitError('GIT_COMMAND_FAILED', {
          reason: 'link-in-git-folder',
          params: { path: relative(dirname(root), path).split(sep).join('/') },
        });
      shared.push(target);
    }
  }
  return shared;
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

/** Also a link to a file that does not exist yet. */
async function staysIn(roots: readonly string[], link: string): Promise<boolean> {
  const target = await targetOf(link);
  return target !== undefined && roots.some((root) => isWithin(root, target) && target !== root);
}

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

/** What a link to the same part of another git folder leads to: `refs` of `…/other/.git/refs`. */
async function sharedTarget(link: string, root: string): Promise<string | undefined> {
  const part = relative(root, link);
  const target = await targetOf(link);
  if (target === undefined || !target.endsWith(`${sep}${part}`)) return undefined;
  const other = target.slice(0, -part.length - 1);
  const kinds = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) =>
      stat(join(other, name)).then(
        (stats) => (stats.isDirectory() ? 'folder' : 'file'),
        () => 'missing',
      ),
    ),
  );
  return kinds.join() === 'file,folder,folder' ? target : undefined;
}
