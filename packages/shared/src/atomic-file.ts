import { constants } from 'node:fs';
import { type FileHandle, link, open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from './errors.ts';

export interface AtomicWriteOptions {
  /** Permissions of the file; default 0600. The process's umask applies, except with `exactMode`. */
  mode?: number;
  /** Sets exactly these permissions, ignoring the umask: those of the replaced file. */
  exactMode?: number;
  /** `fail`: an existing file is left alone and EEXIST is thrown. */
  ifExists?: 'replace' | 'fail';
}

/**
 * Writes the whole file or nothing, even after a power loss or when `data` throws: temporary file in the same folder,
 * fsync, rename, fsync of the folder. A link at `file` is replaced, not followed. Throws Node's own errors; leaves no
 * temporary file behind.
 */
export async function writeFileAtomically(
  file: string,
  data: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const folder = dirname(file);
  const { handle, path } = await openTemporary(folder, options.mode ?? 0o600);
  try {
    try {
      await writeFile(handle, data);
      if (options.exactMode !== undefined) await handle.chmod(options.exactMode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (options.ifExists === 'fail') {
      await link(path, file);
      await unlink(path);
    } else {
      await rename(path, file);
    }
  } catch (error) {
    await unlink(path).catch(() => undefined); // the first failure is reported
    throw error;
  }
  await syncFolder(folder);
}

/** Makes a rename, creation or removal in this folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there; the file system journals names itself
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

let count = 0;

async function openTemporary(folder: string, mode: number): Promise<{ handle: FileHandle; path: string }> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  for (;;) {
    const path = join(folder, `.fucina-${process.pid}-${++count}.tmp`);
    try {
      return { handle: await open(path, flags, mode), path };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}
