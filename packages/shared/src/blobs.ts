import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';
import { systemCode } from './errors.ts';
import { entriesBelow } from './folder-names.ts';

/** Content-addressed bytes of one domain under `blobs/<domain>/xx/<sha256>`; written whole or not at all. */
export interface BlobStore {
  /** Returns the SHA-256, 64 lower-case hex digits. Equal content is stored once. */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * Undefined when absent. Throws a plain Error when the content no longer matches its hash; the file is left as it is.
   */
  get(sha256: string): Promise<Buffer | undefined>;
  /** Deletes content that `isUsed` rejects, except what was stored after `keepSince` (epoch ms). Returns how many. */
  sweep(isUsed: (sha256: string) => boolean, keepSince?: number): Promise<number>;
}

const HEX_64 = /^[0-9a-f]{64}$/;

export function openBlobs(folder: string): BlobStore {
  const fileOf = (sha256: string): string => join(folder, sha256.slice(0, 2), sha256);
  const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes);
      await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true, mode: 0o700 });
      await writeFileAtomically(fileOf(sha256), bytes);
      return sha256;
    },

    async get(sha256) {
      if (!HEX_64.test(sha256)) return undefined;
      try {
        const bytes = await readFile(fileOf(sha256));
        if (sha256Of(bytes) !== sha256) throw new Error(`blob ${sha256} is damaged`);
        return bytes;
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },

    async sweep(isUsed, keepSince = Number.POSITIVE_INFINITY) {
      const unused = (await listHashes(folder)).filter((sha256) => !isUsed(sha256));
      let swept = 0;
      for (const sha256 of unused) {
        const stats = await stat(fileOf(sha256)).catch(() => undefined); // deleted in the meantime
        if (!stats || stats.mtimeMs > keepSince) continue;
        await rm(fileOf(sha256), { force: true });
        swept += 1;
      }
      return swept;
    },
  };
}

async function listHashes(folder: string): Promise<string[]> {
  try {
    const entries = await entriesBelow(folder);
    return entries.filter((entry) => entry.isFile() && HEX_64.test(entry.name)).map((entry) => entry.name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
