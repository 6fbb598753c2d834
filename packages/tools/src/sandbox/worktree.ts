import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The repository of a linked worktree, which is outside the folder; undefined for anything else. A command could have
 * written the folder's `.git` file, so the repository must also name this folder as its worktree.
 */
export async function worktreeRepository(folder: string): Promise<string | undefined> {
  try {
    const pointer = join(folder, '.git');
    if (!(await lstat(pointer)).isFile()) return undefined;
    const target = /^gitdir: (.+)$/m.exec(await readFile(pointer, 'utf8'))?.[1];
    if (target === undefined) return undefined;
    const own = await realpath(resolve(folder, target));
    if (basename(dirname(own)) !== 'worktrees') return undefined;
    const back = (await readFile(join(own, 'gitdir'), 'utf8')).trim();
    if (resolve(own, back) !== pointer) return undefined;
    return dirname(dirname(own));
  } catch {
    return undefined; // no repository, or a broken one: nothing to allow
  }
}
