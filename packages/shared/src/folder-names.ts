import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './disk-facts.ts';
import { systemCode } from './errors.ts';

/** The names in a folder, in the system's order; none when there is no such folder. Throws the system's other errors. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return isMissing(folder) ? [] : await readdir(folder);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/**
 * Everything in a folder, at any depth. Links are listed, not followed: from Node 26 on `readdir` follows them when it is
 * recursive. Throws the system's errors.
 */
export async function entriesBelow(folder: string): Promise<Dirent[]> {
  const found: Dirent[] = [];
  const folders = [folder];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    const entries = await readdir(path, { withFileTypes: true });
    for (const entry of entries) {
      found.push(entry);
      if (entry.isDirectory()) folders.push(join(path, entry.name));
    }
  }
  return found;
}
