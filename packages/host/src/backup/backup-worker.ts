import { parentPort, workerData } from 'node:worker_threads';
import { systemCode } from '@fucina/shared';
import type { ThreadAnswer, ThreadRequest } from './backup-in-thread.ts';
import { createBackup } from './create-backup.ts';

/** Entry point of the thread that makes a backup; any message stops it. */
const stop = new AbortController();
parentPort?.once('message', () => stop.abort());
const answer = (one: ThreadAnswer): void => parentPort?.postMessage(one);
createBackup({ ...(workerData as ThreadRequest), signal: stop.signal }).then(
  ({ archiveBytes }) => answer({ archiveBytes }),
  (error: unknown) => answer({ code: systemCode(error) ?? (error as Error).name, message: String(error) }),
);
