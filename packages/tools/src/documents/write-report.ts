import type { DocumentRequest } from './document-input.ts';
import { writeInWorker } from './in-worker.ts';

/** Writes an existing report in a designed format, as document_create does. Throws WorkerError. */
export async function writeReport(document: DocumentRequest, format: 'pdf' | 'docx'): Promise<Uint8Array> {
  const { bytes } = await writeInWorker(document, format, new AbortController().signal);
  return bytes;
}
