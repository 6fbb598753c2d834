import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { accepted, parseRelativePath, syncFolder } from '@fucina/shared';
import type { ModelFile } from '../model-record.ts';

/** Kept free on the disk of the models, whatever is taken in. */
export const RESERVE_BYTES = 1_073_741_824;
const MODEL_ID = /^[a-z0-9][a-z0-9._-]{0,127}$/;

/** An id that is also the name of a folder on every system; checked before any path is made of it. */
export function isModelId(id: string): boolean {
  return MODEL_ID.test(id) && accepted(parseRelativePath, id) === id;
}

/** Where the models of this computer lie: `models/<id>/<path>` below the data folder. */
export interface ModelFolders {
  /** Absolute; the id and the path were checked before. */
  fileOf(id: string, path: string): string;
  folderOf(id: string): string;
  /** Made where it is missing, with the folders above a file of it. */
  prepare(id: string, path?: string): Promise<void>;
  /** Of a model and all that is in it; one that is not there is fine. */
  remove(id: string): Promise<void>;
  /** What may still be taken in, the reserve kept. */
  roomBytes(): Promise<number>;
}

export function createModelFolders(needs: { dataDir: string; freeBytes?: () => Promise<number> }): ModelFolders {
  const root = join(needs.dataDir, 'models');
  const freeBytes = needs.freeBytes ?? (() => freeOf(root));
  const folderOf = (id: string): string => {
    if (!isModelId(id)) throw new Error('not the id of a model');
    return join(root, id);
  };
  return {
    folderOf,
    fileOf: (id, path) => join(folderOf(id), parseRelativePath(path)),
    async prepare(id, path) {
      const folder = path === undefined ? folderOf(id) : join(folderOf(id), parseRelativePath(path), '..');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await syncFolder(root);
    },
    async remove(id) {
      await rm(folderOf(id), { recursive: true, force: true });
    },
    async roomBytes() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      return Math.max(0, (await freeBytes()) - RESERVE_BYTES);
    },
  };
}

async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Of one file its own; of several that of the list `<sha256>  <path>`, a line each, in their order. */
export function sumOf(files: readonly ModelFile[]): string {
  const [first] = files;
  if (first && files.length === 1) return first.sha256;
  const list = files.map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
  return createHash('sha256').update(list).digest('hex');
}

const WRITE_BYTES = 1_048_576;
/** Others fill the disk too: so often it is looked at. */
const LOOK_BYTES = 67_108_864;

/**
 * Takes bytes to a file in large writes while it sums them: one write under way at a time, nothing more in memory.
 * Throws Node's own errors, and ENOSPC where the reserve of the disk would be touched.
 */
export interface FileSink {
  write(chunk: Uint8Array): Promise<void>;
  /** On the disk, whatever happens to the computer. */
  finish(): Promise<void>;
  /** Given to the file so far. */
  readonly bytes: number;
}

export interface SinkParts {
  handle: FileHandle;
  hash: Hash;
  /** Bytes that are in the file already. */
  start?: number;
  /** What may still be taken in. */
  roomBytes(): Promise<number>;
}

export function createFileSink({ handle, hash, start = 0, roomBytes }: SinkParts): FileSink {
  let position = start;
  let nextLook = start + LOOK_BYTES;
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    if (gatheredBytes === 0) return;
    const [chunks, bytes] = [gathered, gatheredBytes];
    gathered = [];
    gatheredBytes = 0;
    writing = writeAll(handle, chunks, position);
    // Whoever writes next hears of it; nobody may come.
    writing.catch(() => undefined);
    position += bytes;
  };
  return {
    async write(chunk) {
      hash.update(chunk);
      gathered.push(chunk);
      gatheredBytes += chunk.length;
      if (gatheredBytes < WRITE_BYTES) return;
      await flush();
      if (position < nextLook) return;
      nextLook = position + LOOK_BYTES;
      if ((await roomBytes()) <= 0) throw Object.assign(new Error('the reserve of the disk'), { code: 'ENOSPC' });
    },
    async finish() {
      await flush();
      await writing;
      await handle.sync();
    },
    get bytes() {
      return position + gatheredBytes;
    },
  };
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<void> {
  const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  for (let written = 0; written < whole.length; ) {
    const { bytesWritten } = await handle.write(whole, written, whole.length - written, position + written);
    written += bytesWritten;
  }
}
