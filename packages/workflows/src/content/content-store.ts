import { join } from 'node:path';
import { openBlobs } from '@fucina/shared';

/** The results of steps: bytes by their SHA-256, looked at again whenever they are read. */
export interface ContentStore {
  /** Answers 64 lower-case hex digits. On the disk when it settles. */
  put(bytes: Uint8Array): Promise<string>;
  /** Throws a plain Error when they are gone or no longer have their hash: wrong bytes are never answered. */
  get(sha256: string): Promise<Buffer>;
  /** Deletes what no result names; what was put after `keepSince` (ms since the epoch) stays. */
  sweep(isUsed: (sha256: string) => boolean, keepSince: number): Promise<number>;
}

export function openContentStore(dataDir: string): ContentStore {
  const blobs = openBlobs(join(dataDir, 'blobs', 'workflows'));
  return {
    put: (bytes) => blobs.put(bytes),
    async get(sha256) {
      const bytes = await blobs.get(sha256);
      if (!bytes) throw new Error(`the content ${sha256} of a result is gone`);
      return bytes;
    },
    sweep: (isUsed, keepSince) => blobs.sweep(isUsed, keepSince),
  };
}
