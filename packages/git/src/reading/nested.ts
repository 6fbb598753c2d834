import { type FolderListing, listInside, PathError } from '@fucina/shared';

const MAX_DEPTH = 3;
const MAX_FOLDERS = 3000;
const MAX_FOUND = 100;
const HEAVY: ReadonlySet<string> = new Set(
  'node_modules dist build out target vendor venv .venv env .tox __pycache__ .cache .next .gradle coverage Pods'.split(
    ' ',
  ),
);

/**
 * Repositories inside a folder (without itself), at most three levels deep: relative paths, sorted. Links are not
 * followed.
 */
export async function nestedRepositories(folder: string): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  let visited = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      if (++visited > MAX_FOLDERS || found.length === MAX_FOUND) return found.sort();
      const entries = (await list(folder, path))?.entries ?? [];
      if (path !== '' && entries.some(({ name, kind }) => name === '.git' && kind !== 'link')) found.push(path);
      for (const { name, kind } of entries) {
        if (kind === 'folder' && name !== '.git' && !HEAVY.has(name)) next.push(path === '' ? name : `${path}/${name}`);
      }
    }
    level = next;
  }
  return found.sort();
}

/** A folder that is unreadable or has an unportable name counts as empty. */
async function list(folder: string, path: string): Promise<FolderListing | undefined> {
  try {
    return await listInside(folder, path, 2000);
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}
