import { parentPort, workerData } from 'node:worker_threads';
import { pageText } from './page-text.ts';

/** Entry point of the bounded worker: parses one untrusted page. */
parentPort?.postMessage(pageText(workerData as string));
