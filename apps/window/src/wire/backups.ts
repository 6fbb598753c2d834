import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type BackupSchedule = Schemas['BackupSchedule'];
export type BackupChoice = Pick<BackupSchedule, 'frequency' | 'folder' | 'keep'>;

const KEY = ['backup'];
const POLL_MS = 15_000;
const RUNNING_POLL_MS = 1_000;

export const backupQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await api.get('/ext/backup', { signal })).backup,
  refetchInterval: ({ state }) => (state.data?.isRunning ? RUNNING_POLL_MS : POLL_MS),
});

/** Both throw ApiError. */
export const scheduleBackups = async (choice: BackupChoice): Promise<BackupSchedule> =>
  (await api.post('/ext/backup', { body: choice })).backup;

export const startBackup = async (): Promise<BackupSchedule> => (await api.post('/ext/backup/start')).backup;

export const showBackups = (client: QueryClient, backup: BackupSchedule): void => {
  client.setQueryData(backupQuery.queryKey, backup);
};
