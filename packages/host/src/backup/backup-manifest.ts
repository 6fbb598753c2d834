import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as z from 'zod';

export const FORMAT = 1;
/** The first entry of a backup. */
export const MANIFEST = 'backup.json';
export const DATA = 'data/';
export const SETTINGS = 'settings/';

const file = z.object({
  /** Below the backup, with slashes: `data/…` or `settings/…`. */
  path: z.string().regex(/^(data|settings)\/(?!.*(^|\/)\.\.?(\/|$))[^\0\\]+$/),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackupFile = z.infer<typeof file>;

export const manifest = z.object({
  format: z.literal(FORMAT),
  /** Of the Fucina that made it. */
  version: z.string(),
  /** ISO 8601. */
  createdAt: z.iso.datetime(),
  hasModels: z.boolean(),
  files: z.array(file),
});
export type BackupManifest = z.infer<typeof manifest>;

/** Why a backup cannot be made or used. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly problem: 'not-a-backup' | 'newer' | 'damaged' | 'exists' | 'in-use';
  /** The file that it is about, if it is one of many. */
  readonly path: string | undefined;

  constructor(problem: BackupError['problem'], path?: string, cause?: unknown) {
    super(path === undefined ? problem : `${problem}: ${path}`, { cause });
    this.problem = problem;
    this.path = path;
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
