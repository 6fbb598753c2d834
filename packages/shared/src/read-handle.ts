import { type FileHandle, open } from 'node:fs/promises';
import { READ } from './disk-facts.ts';
import { systemCode } from './errors.ts';

/** The whole of an open file of about the expected size; undefined above `maxBytes`, also when it grows during the read. */
export async function readHandle(handle: FileHandle, expected: number, maxBytes: number): Promise<Buffer | undefined> {
  let buffer = Buffer.allocUnsafe(Math.min(expected, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) return undefined;
    if (length === buffer.length) {
      buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, maxBytes + 1));
    }
  }
}

const UNREADABLE = new Set(['ELOOP', 'ENXIO', 'EACCES', 'ENOENT', 'EISDIR']);

/** A regular file whose folder is held open, not through a link; undefined for anything else, and above the limit. */
export async function readEntry(file: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    await using handle = await open(file, READ);
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxBytes ? await readHandle(handle, stats.size, maxBytes) : undefined;
  } catch (error) {
    if (UNREADABLE.has(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
