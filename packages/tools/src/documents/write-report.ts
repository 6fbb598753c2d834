import type { DocumentRequest } from './document-input.ts';
import { writeInWorker } from './in-worker.ts';

/** A designed report, as document_create makes it; for callers that have one already. Throws WorkerError. */
export async function writeReport(document: DocumentRequest, format: 'pdf' | 'docx'): Promise<Uint8Array> {
  const { bytes } = await writeInWorker(document, format, new AbortController().signal);
  return bytes;
}
