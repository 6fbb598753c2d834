import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { once, systemCode } from '@fucina/shared';

/** Where copies of git's indexes are: of this process, and gone with it. */
export interface IndexPlaces extends AsyncDisposable {
  /** The file for a folder, absolute. */
  of(folder: string): Promise<string>;
}

/** Two processes never share one: each knows what it copied, and when. */
export function createIndexPlaces(dataDir: string): IndexPlaces {
  const all = join(dataDir, 'git-indexes');
  const own = join(all, String(process.pid));
  const sweep = once(() => removeLeft(all));

  return {
    async of(folder) {
      await sweep();
      return join(own, createHash('sha256').update(folder).digest('hex').slice(0, 32), 'index');
    },
    [Symbol.asyncDispose]: () => rm(own, { recursive: true, force: true }),
  };
}

/** Of processes that ended without it, and of an earlier one with our number. */
async function removeLeft(all: string): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) // none was ever made
    if (Number(name) === process.pid || !isRunning(Number(name)))
      await rm(join(all, name), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
