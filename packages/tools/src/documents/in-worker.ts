import { moduleBeside, runInWorker, type WorkerBounds, WorkerError } from '@fucina/shared';
import type { DocumentRequest } from './document-input.ts';
import type { DocumentText } from './document-text.ts';
import type { RichFormat } from './formats.ts';
import { type DocumentSource, runReader } from './reading-process.ts';

export type ReadJob = { task: 'read-pdf'; page: number | undefined } | { task: 'read-office' };

export interface WriteJob {
  document: DocumentRequest;
  format: RichFormat;
}

export interface WrittenDocument {
  bytes: Uint8Array;
  /** What could not be written exactly, for the model. */
  notes: string[];
}

const MIB = 1024 * 1024;
/** What a reader has in memory at its start is about a third. */
const READ_LEAST_MIB = 216;
const READ_MOST_MIB = 1024;
const READ_MIB_PER_MIB = 32;
const READ_MS = 30_000;
const READ_MS_PER_MIB = 300;
const WRITE_BOUNDS = { timeoutMs: 60_000, memoryMiB: 512 };

const entry = moduleBeside(import.meta.url, 'document-worker');

/** Time and memory grow with the size of a document, so that a small one cannot take as much as a large one. */
export function readBounds(sizeBytes: number): WorkerBounds {
  const sizeMiB = sizeBytes / MIB;
  const memoryMiB = READ_LEAST_MIB + READ_MIB_PER_MIB * Math.max(0, sizeMiB - 1);
  return {
    timeoutMs: Math.round(READ_MS + READ_MS_PER_MIB * sizeMiB),
    memoryMiB: Math.round(Math.min(memoryMiB, READ_MOST_MIB)),
  };
}

/** Undefined when it is not a readable document. Throws WorkerError. */
export function readInProcess(
  job: ReadJob,
  document: DocumentSource,
  signal: AbortSignal,
): Promise<DocumentText | undefined> {
  return runReader(job, document, { ...readBounds(document.sizeBytes), signal });
}

/** Throws WorkerError. */
export function writeInWorker(
  document: DocumentRequest,
  format: RichFormat,
  signal: AbortSignal,
): Promise<WrittenDocument> {
  return runInWorker(entry, { document, format } satisfies WriteJob, { ...WRITE_BOUNDS, signal });
}

/** Why a document was not read or created, for the model; errors of other kinds are rethrown. */
export function workerFailure(error: unknown, memoryMiB: number = WRITE_BOUNDS.memoryMiB): string {
  if (!(error instanceof WorkerError)) throw error;
  switch (error.problem) {
    case 'timeout':
      return 'it took too long';
    case 'memory':
      return `it needs more memory than a document of its size may use (${memoryMiB} MiB)`;
    case 'aborted':
      return 'it was stopped';
    case 'failed':
      // Not instanceof: it comes from another realm.
      return (error.cause as Partial<Error> | undefined)?.message?.slice(0, 200) ?? 'the file is damaged';
  }
}
