import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode } from '@fucina/shared';
import type { Place } from './place.ts';

/** Calls `act` with a copy of the index, which is thrown away after. */
export async function withIndexCopy<T>(place: Place, act: (index: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fucina-index-'));
  const copy = join(folder, 'index');
  try {
    await copyIfThere(join(place.repository.gitDir, 'index'), copy);
    return await act(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts the index back as it was when `act` fails. */
export async function keepingIndex<T>(place: Place, act: () => Promise<T>): Promise<T> {
  const index = join(place.repository.gitDir, 'index');
  const kept = `${index}.fucina-kept`;
  const wasThere = await copyIfThere(index, kept);
  try {
    const result = await act();
    await rm(kept, { force: true });
    return result;
  } catch (error) {
    if (wasThere) await rename(kept, index);
    else await rm(index, { force: true });
    throw error;
  }
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
