import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { entryInside, openFileInside, PathError, readFileInside } from '@fucina/shared';
import type { DiskFacts } from './disk-messages.ts';
import { absent } from './facts-now.ts';

/** One file at one moment. */
export interface FileVersion {
  /** 64 lower-case hex digits; null when it was not read: too large, or changed before it could be read. */
  sha256: string | null;
  sizeBytes: number;
  /** The permission bits. */
  mode: number;
}

/** Metadata that tells two states of a file apart without reading it. */
export type FileStamp = DiskFacts;

/** A file as git's index had it. */
export interface EarlierFile {
  /** Of its content, which is stored; null when that is not known. */
  sha256: string | null;
  sizeBytes: number;
  isExecutable: boolean;
}

export interface SeenFile {
  version: FileVersion;
  stamp: FileStamp;
  /** Absent above the size limit for reading. */
  bytes?: Buffer;
}

/** A larger file is compared by size and times only. */
export const MAX_HASHED_BYTES = 32 * 1024 * 1024;
const TRIES = 2;

export function versionOf(bytes: Uint8Array, mode: number): FileVersion & { sha256: string } {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length, mode };
}

/**
 * The version of a listed path. Undefined when it is missing or not a regular file. The last path segment is not
 * followed if it is a link.
 */
export async function stampOf(root: string, path: string): Promise<FileStamp | undefined> {
  return stampOfEntry(await lstat(join(root, path)).catch(absent));
}

/** Undefined for anything but a regular file. */
export function stampOfEntry(entry: DiskFacts | undefined): FileStamp | undefined {
  return entry && (entry.mode & constants.S_IFMT) === constants.S_IFREG ? stamped(entry) : undefined;
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return (
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.mode === other.mode
  );
}

/**
 * The current file, with its bytes up to `maxBytes`. Null when it is missing; undefined when it is not a regular file
 * inside the root, is unreadable, or keeps changing.
 */
export async function inspectFile(root: string, path: string, maxBytes: number): Promise<SeenFile | null | undefined> {
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const seen = await seeOnce(root, path, maxBytes);
      if (seen) return seen;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return error.problem === 'missing' ? null : undefined;
  }
}

/** Undefined when it changed during the read, or is not a regular file. */
async function seeOnce(root: string, path: string, maxBytes: number): Promise<SeenFile | undefined> {
  // The path may come from a model: nothing outside the root is even named.
  const stats = await entryInside(root, path);
  if (!stats.isFile()) return undefined;
  const stamp = stamped(stats);
  const isWhole = stamp.size <= maxBytes;
  const version = isWhole ? undefined : await hashed(root, path, stamp);
  const bytes = isWhole ? (await readFileInside(root, path, maxBytes)).bytes : undefined;
  const after = await stampOf(root, path);
  if (!after || !isSameStamp(stamp, after)) return undefined;
  if (bytes) return { stamp, bytes, version: versionOf(bytes, stamp.mode) };
  return { stamp, version: version ?? { sha256: null, sizeBytes: stamp.size, mode: stamp.mode } };
}

async function hashed(root: string, path: string, { size, mode }: FileStamp): Promise<FileVersion> {
  if (size > MAX_HASHED_BYTES) return { sha256: null, sizeBytes: size, mode };
  const hash = createHash('sha256');
  const { handle } = await openFileInside(root, path);
  for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer);
  return { sha256: hash.digest('hex'), sizeBytes: size, mode };
}

function stamped({ mtimeMs, ctimeMs, birthtimeMs, size, ino, mode }: DiskFacts): FileStamp {
  return { mtimeMs, ctimeMs, birthtimeMs, size, ino, mode: mode & 0o777 };
}
