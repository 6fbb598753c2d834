import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { once, openBlobs, type SqliteDatabase } from '@fucina/shared';

/** The results of steps: bytes by their SHA-256, verified on every read. */
export interface ContentStore {
  /** Large content is on disk when this resolves; small content with the row of its result. */
  put(bytes: Buffer): Promise<StoredContent>;
  /** Throws a plain Error when it is missing or does not match its hash: wrong bytes are never returned. */
  get(sha256: string): Promise<Buffer>;
  /** Deletes content that no result refers to, except what was stored after `keepSince` (ms since the epoch). */
  sweep(isUsed: (sha256: string) => boolean, keepSince: number): Promise<number>;
}

export interface StoredContent {
  /** 64 lower-case hex digits. */
  sha256: string;
  /** Small content, to be written with the row of its result; null for content in its own file. */
  inRow: Buffer | null;
}

/** A file costs two more disk syncs; up to this size, storing it in the row is cheaper. */
export const MAX_IN_ROW = 16 * 1024;

export function openContentStore({ dataDir, db }: { dataDir: string; db(): SqliteDatabase }): ContentStore {
  const blobs = openBlobs(join(dataDir, 'blobs', 'workflows'));
  const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const rows = once(() =>
    db()
      .prepare<[string], Buffer>('SELECT content FROM run_results WHERE sha256 = ? AND content IS NOT NULL LIMIT 1')
      .pluck(),
  );
  return {
    async put(bytes) {
      if (bytes.length > MAX_IN_ROW) return { sha256: await blobs.put(bytes), inRow: null };
      return { sha256: sha256Of(bytes), inRow: bytes };
    },
    async get(sha256) {
      const small = rows().get(sha256);
      if (small && sha256Of(small) !== sha256) throw new Error(`the content ${sha256} of a result is damaged`);
      const bytes = small ?? (await blobs.get(sha256));
      if (!bytes) throw new Error(`the content ${sha256} of a result is gone`);
      return bytes;
    },
    sweep: (isUsed, keepSince) => blobs.sweep(isUsed, keepSince),
  };
}
