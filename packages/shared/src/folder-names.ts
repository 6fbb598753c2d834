import { lstatSync, type PathLike } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { systemCode } from './errors.ts';

/**
 * Whether nothing has this name, not even a dangling link. Asks the system at once: for optional folders, which are
 * usually missing, a trip to another thread takes longer than the question. Throws the system's other errors.
 */
export function isMissing(path: PathLike): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

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
