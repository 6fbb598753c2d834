import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
import { entryAt, HAS_PROC, realPathAt } from '@fucina/shared';

/** Linux's O_PATH: names a file of any kind, without permission to read it. Node has no constant for it. */
const O_PATH = 0o10_000_000;
const NAMED = O_PATH | (constants.O_NOFOLLOW ?? 0);

/**
 * Device and inode of what is at `path`. Undefined when nothing is there, or when the kernel does not name it as
 * `expected`: a link leads to it, which a command could lead anywhere at any moment.
 */
export function identityAt(path: string, expected = path): string | undefined {
  const found = plainEntry(path, expected);
  return found && `${found.dev}:${found.ino}`;
}

/** Whether a folder is there, and no link leads to it. */
export const isPlainFolder = (path: string): boolean => plainEntry(path, path)?.isDirectory() ?? false;

function plainEntry(path: string, expected: string): Stats | undefined {
  if (!HAS_PROC) return realPathAt(path) === expected ? entryAt(path) : undefined;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, NAMED);
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== expected) return undefined;
    const found = fstatSync(descriptor);
    return found.isSymbolicLink() ? undefined : found;
  } catch {
    return undefined; // missing, or not to be looked at
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
