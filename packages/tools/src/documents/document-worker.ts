import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentJob } from './in-worker.ts';

/** Entry point of the bounded worker: one job over untrusted bytes, one answer. */
const job = workerData as DocumentJob;
void run(job).then((answer) => parentPort?.postMessage(answer));

async function run(one: DocumentJob): Promise<unknown> {
  if (one.task === 'read-pdf') return (await import('./read-pdf.ts')).readPdf(one.bytes, one.page);
  if (one.task === 'read-office') return (await import('./read-office.ts')).readOffice(Buffer.from(one.bytes));
  return (await import('./write-document.ts')).writeDocument(one.document, one.format);
}
