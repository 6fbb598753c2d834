import { mkdir, open, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Ambient, entriesBelow, openBlobs, syncFolder, systemCode } from '@fucina/shared';
import { contentPath } from './content-path.ts';
import type { KeepAnswer, StampedFile } from './disk-messages.ts';
import type { DiskThread } from './disk-thread.ts';
import { versionOf } from './file-version.ts';

/**
 * File contents before and after changes, stored once per SHA-256. `keep` and `keepFiles` do not wait for the disk: a power
 * loss may drop the newest, and `read` then returns undefined. `secure` waits.
 */
export interface Contents {
  keep(bytes: Uint8Array): Promise<string>;
  /** Reads files below a real folder; null for one that is not as it was seen, or must be looked at more closely. */
  keepFiles(root: string, files: readonly StampedFile[]): Promise<KeepAnswer>;
  secure(bytes: Uint8Array): Promise<string>;
  /** Undefined when it is missing or damaged. */
  read(sha256: string): Promise<Buffer | undefined>;
  /** Deletes unreferenced and expired contents, and the oldest above the size limit; returns how many. */
  sweep(isReferenced: (sha256: string) => boolean): Promise<number>;
}

const HEX_64 = /^[0-9a-f]{64}$/;
/** Recent contents may be about to be referenced by a journal, also of another process. */
const KEEP_MS = 3_600_000;
const MAX_AGE_MS = 30 * 24 * 3_600_000;
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;
const YIELD_EVERY = 500;

interface ContentsNeeds {
  ambient: Ambient;
  folder: string;
  disk: DiskThread;
}

export function createContents({ ambient, folder, disk }: ContentsNeeds): Contents {
  const blobs = openBlobs(folder);
  const fileOf = (sha256: string): string => contentPath(folder, sha256);
  const touch = async (sha256: string, sizeBytes: number): Promise<boolean> => {
    const now = ambient.now() / 1000;
    const known = await stat(fileOf(sha256)).catch(() => undefined); // does not exist yet: it is written
    if (known?.size !== sizeBytes) return false;
    await utimes(fileOf(sha256), now, now).catch(() => undefined); // only updates its age
    return true;
  };

  /** Known to be on disk. */
  const safe = new Set<string>();
  const keep = async (bytes: Uint8Array): Promise<string> => {
    const { sha256 } = versionOf(bytes, 0);
    if (await touch(sha256, bytes.length)) return sha256;
    safe.delete(sha256);
    await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true, mode: 0o700 });
    await writeFile(fileOf(sha256), bytes, { mode: 0o600 });
    return sha256;
  };

  return {
    keep,

    async keepFiles(root, files) {
      const kept = await disk.keep({ root, files, store: folder, now: ambient.now() });
      // Some may have been written anew.
      for (const sha256 of kept) if (sha256 !== null) safe.delete(sha256);
      return kept;
    },

    async secure(bytes) {
      const sha256 = await keep(bytes);
      if (safe.has(sha256)) return sha256;
      const handle = await open(fileOf(sha256), 'r');
      await handle.sync().finally(() => handle.close());
      await syncFolder(join(folder, sha256.slice(0, 2)));
      safe.add(sha256);
      return sha256;
    },

    async read(sha256) {
      try {
        return await blobs.get(sha256);
      } catch (error) {
        ambient.log.warn('history.content-damaged', { sha256, error });
        return undefined;
      }
    },

    async sweep(isReferenced) {
      const now = ambient.now();
      const kept: Kept[] = [];
      let swept = 0;
      for (const [index, file] of (await keptFiles(folder)).entries()) {
        const facts = await stat(fileOf(file)).catch(() => undefined); // deleted in the meantime
        const isUsed =
          facts && (facts.mtimeMs > now - KEEP_MS || (isReferenced(file) && facts.mtimeMs > now - MAX_AGE_MS));
        if (facts && isUsed) kept.push({ sha256: file, sizeBytes: facts.size, at: facts.mtimeMs });
        else {
          await rm(fileOf(file), { force: true });
          swept += 1;
        }
        if (index % YIELD_EVERY === 0) await yieldToOthers();
      }
      for (const { sha256 } of tooMuch(kept)) {
        await rm(fileOf(sha256), { force: true });
        swept += 1;
      }
      return swept;
    },
  };
}

interface Kept {
  sha256: string;
  sizeBytes: number;
  at: number;
}

function tooMuch(kept: readonly Kept[]): Kept[] {
  let room = MAX_TOTAL_BYTES;
  return kept
    .toSorted((one, other) => other.at - one.at)
    .filter(({ sizeBytes }) => {
      room -= sizeBytes;
      return room < 0;
    });
}

async function keptFiles(folder: string): Promise<string[]> {
  try {
    const entries = await entriesBelow(folder);
    return entries.filter((entry) => entry.isFile() && HEX_64.test(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
