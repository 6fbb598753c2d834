import { once } from 'node:events';
import { moduleBeside, startThread } from '@fucina/shared';
import type { BackupRequest } from './create-backup.ts';

export type ThreadRequest = Omit<BackupRequest, 'signal'>;
export type ThreadAnswer = { archiveBytes: number } | { code: string; message: string };

const entry = moduleBeside(import.meta.url, 'backup-worker');
const MEMORY_MIB = 512;

/**
 * `createBackup` beside the server's own work: a store is copied in one go. Resolves with the size of the archive. Throws
 * an error with the `code` of the failure; an abort is one.
 */
export async function createBackupInThread(request: ThreadRequest, signal: AbortSignal): Promise<number> {
  const worker = startThread(entry, { input: request, memoryMiB: MEMORY_MIB });
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  const over = new AbortController();
  try {
    const answered = once(worker, 'message', { signal: over.signal }).then(([answer]) => answer as ThreadAnswer);
    const ended = once(worker, 'exit', { signal: over.signal }).then(([code]) => {
      throw new Error(`the thread ended with ${code}`);
    });
    const answer = await Promise.race([answered, ended]);
    if ('archiveBytes' in answer) return answer.archiveBytes;
    throw Object.assign(new Error(answer.message), { code: answer.code });
  } finally {
    over.abort();
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
