import { moduleBeside, runInWorker, WorkerError } from '@fucina/shared';
import type { DocumentRequest } from './document-input.ts';
import type { DocumentText } from './document-text.ts';
import type { RichFormat } from './formats.ts';

export type DocumentJob =
  | { task: 'read-pdf'; bytes: Uint8Array; page: number | undefined }
  | { task: 'read-office'; bytes: Uint8Array }
  | { task: 'write'; document: DocumentRequest; format: RichFormat };

export interface WrittenDocument {
  bytes: Uint8Array;
  /** What could not be written exactly, for the model. */
  notes: string[];
}

const READ_BOUNDS = { timeoutMs: 30_000, memoryMiB: 384 };
const WRITE_BOUNDS = { timeoutMs: 60_000, memoryMiB: 512 };

const entry = moduleBeside(import.meta.url, 'document-worker');

/** Undefined when the bytes are not a readable document. Throws WorkerError. */
export function readInWorker(
  job: Extract<DocumentJob, { task: 'read-pdf' | 'read-office' }>,
  signal: AbortSignal,
): Promise<DocumentText | undefined> {
  return runInWorker(entry, job, { ...READ_BOUNDS, signal });
}

/** Throws WorkerError. */
export function writeInWorker(
  document: DocumentRequest,
  format: RichFormat,
  signal: AbortSignal,
): Promise<WrittenDocument> {
  const job: DocumentJob = { task: 'write', document, format };
  return runInWorker(entry, job, { ...WRITE_BOUNDS, signal });
}

/** Why a document was not read or created, for the model; errors of other kinds are rethrown. */
export function workerFailure(error: unknown): string {
  if (!(error instanceof WorkerError)) throw error;
  switch (error.problem) {
    case 'timeout':
      return 'it took too long';
    case 'memory':
      return 'it needs too much memory';
    case 'aborted':
      return 'it was stopped';
    case 'failed':
      // Not instanceof: it comes from another realm.
      return (error.cause as Partial<Error> | undefined)?.message?.slice(0, 200) ?? 'the file is damaged';
  }
}
