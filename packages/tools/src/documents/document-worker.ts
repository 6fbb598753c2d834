import { parentPort, workerData } from 'node:worker_threads';
import type { WriteJob } from './in-worker.ts';

/** Entry point of the bounded worker that writes one document. */
const { document, format } = workerData as WriteJob;
void import('./write-document.ts')
  .then(({ writeDocument }) => writeDocument(document, format))
  .then((answer) => parentPort?.postMessage(answer));
