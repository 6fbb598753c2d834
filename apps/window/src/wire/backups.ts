import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

export type BackupSchedule = components['schemas']['BackupSchedule'];
export type BackupChoice = Pick<BackupSchedule, 'frequenza' | 'cartella' | 'conserva'>;

const BASE = ['ext', 'backup'];
const KEY = ['backup'];
const POLL_MS = 15_000;
const RUNNING_POLL_MS = 1_000;

interface Answer {
  backup: BackupSchedule;
}

export const backupQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await read<Answer>(address(BASE), signal)).backup,
  refetchInterval: ({ state }) => (state.data?.inCorso ? RUNNING_POLL_MS : POLL_MS),
});

/** Both throw WireError. */
export const scheduleBackups = async (choice: BackupChoice): Promise<BackupSchedule> =>
  (await send<Answer>(address(BASE), choice)).backup;

export const startBackup = async (): Promise<BackupSchedule> =>
  (await send<Answer>(address([...BASE, 'avvio']), {})).backup;

export const showBackups = (client: QueryClient, backup: BackupSchedule): void => {
  client.setQueryData(backupQuery.queryKey, backup);
};
