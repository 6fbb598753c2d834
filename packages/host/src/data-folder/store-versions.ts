import { join } from 'node:path';
import { AppError, storedVersion } from '@fucina/shared';
import { newestBackup } from '../backup/scheduled-backups.ts';

/** The number of migrations of each store: what this Fucina writes. */
const STORE_VERSIONS: Readonly<Record<string, number>> = {
  'automations.db': 3,
  'files.db': 1,
  'library.db': 3,
  'local-models.db': 1,
  'providers.db': 2,
  'sandbox.db': 2,
  'sessions.db': 8,
  'workflows.db': 3,
};

/** The stores of a data folder that a newer Fucina has written. */
export function newerStores(dataDir: string): string[] {
  return Object.entries(STORE_VERSIONS).flatMap(([name, known]) =>
    (storedVersion(join(dataDir, name)) ?? 0) > known ? [name] : [],
  );
}

/** Throws CONFIG_INVALID (`store-newer`) with the stores and the newest scheduled backup. Changes nothing. */
export async function refuseNewerStores(dataDir: string): Promise<void> {
  const newer = newerStores(dataDir);
  if (!newer.length) return;
  const backup = await newestBackup(dataDir);
  const params = { setting: newer.join(', '), ...(backup !== undefined && { backup }) };
  throw new AppError('CONFIG_INVALID', { reason: 'store-newer', params });
}
