import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  type PathLike,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseRelativePath } from './safe-name.ts';

/*
 * What the disk says of one known path, at once: a trip to another thread takes ten times as long as the question. Not
 * for the folders of a tree, whose number nobody knows.
 */

/** For reading, without waiting, following a link or taking over a terminal. */
export const READ =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** Linux names the current path of an open file. */
export const HAS_PROC = process.platform === 'linux';

/** Whether nothing has this name, not even a dangling link. Throws the system's other errors. */
export function isMissing(path: PathLike): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** Of what a path leads to; undefined when it leads nowhere, or may not be looked at. */
export function statsAt(path: PathLike): Stats | undefined {
  return orUndefined(() => statSync(path, { throwIfNoEntry: false }));
}

/** The same of the entry itself: a link is not followed. */
export function entryAt(path: PathLike): Stats | undefined {
  return orUndefined(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Without links; undefined when it leads nowhere. */
export function realPathAt(path: PathLike): string | undefined {
  // An error takes longer than this check, and many of the paths asked for are missing.
  return orUndefined(() => (isMissing(path) ? undefined : realpathSync.native(path)));
}

/**
 * The whole of a small regular file below a real folder. Undefined in any doubt (missing, behind a link, larger, no way to
 * check here): `readFileInside` then says what it is.
 */
export function readSmallFileNow(root: string, path: string, maxBytes: number): Buffer | undefined {
  if (!HAS_PROC) return undefined;
  let file: number | undefined;
  try {
    const asked = join(root, parseRelativePath(path));
    file = openSync(asked, READ);
    const stats = fstatSync(file);
    const isHere = readlinkSync(`/proc/self/fd/${file}`) === asked;
    if (!isHere || !stats.isFile() || stats.size > maxBytes) return undefined;
    const buffer = Buffer.allocUnsafe(stats.size + 1);
    return readSync(file, buffer, 0, buffer.length, 0) === stats.size ? buffer.subarray(0, stats.size) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function orUndefined<Value>(look: () => Value | undefined): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
