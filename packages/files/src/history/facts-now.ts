import { lstatSync, statSync } from 'node:fs';
import type { DiskFacts } from './disk-messages.ts';

/** Undefined for a missing or unreadable path; throws any other error. */
export function factsNow(path: string, followsLinks: boolean): DiskFacts | undefined {
  try {
    return (followsLinks ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  } catch (error) {
    return absent(error);
  }
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'EINVAL']);

export function absent(error: unknown): undefined {
  // Without @fucina/shared: the thread loads nothing but this.
  if (!ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
