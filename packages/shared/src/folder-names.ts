import { readdir } from 'node:fs/promises';
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
