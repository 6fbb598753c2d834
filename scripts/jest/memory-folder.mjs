import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Linux's magic number of such a file system. */
const TMPFS = 0x01021994;
const NEEDED_BYTES = 6 * 2 ** 30;

/** A file system in memory with enough space for the tests, otherwise the system's temporary folder. */
export function memoryFolder() {
  if (!existsSync(MEMORY)) return tmpdir();
  const found = statfsSync(MEMORY);
  const hasRoom = found.bavail * found.bsize >= NEEDED_BYTES && process.availableMemory() >= NEEDED_BYTES;
  return found.type === TMPFS && hasRoom ? MEMORY : tmpdir();
}
