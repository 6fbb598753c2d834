import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A named pipe must not wait for a writer: it would keep a thread that every other file needs. */
const FOLLOWING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * The whole of a regular file, following links, wherever it is. Undefined for anything else: missing, unreadable, a
 * folder, a pipe, a device, larger than `maxBytes`, growing during the read.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, FOLLOWING);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(stats.size + 1), 0, stats.size + 1, 0);
    return bytesRead > stats.size ? undefined : buffer.subarray(0, bytesRead);
  } catch {
    return undefined; // by contract
  } finally {
    await file?.close();
  }
}
