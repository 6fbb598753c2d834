import type { Ignore } from 'ignore';

/** Rules of ignore files, by the folder that has them (relative; '' for the root). */
export type IgnoreRules = ReadonlyMap<string, Ignore>;

/** Whether a folder is ignored, as git decides it: the nearest ignore file that names it. */
export function isIgnoredFolder(path: string, rules: IgnoreRules): boolean {
  for (let folder = parentFolderOf(path); ; folder = parentFolderOf(folder)) {
    const relative = folder === '' ? path : path.slice(folder.length + 1);
    const result = rules.get(folder)?.test(`${relative}/`);
    if (result?.ignored || result?.unignored) return result.ignored;
    if (folder === '') return false;
  }
}

/** '' for an entry of the root. */
export const parentFolderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
