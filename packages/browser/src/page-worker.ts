import { parentPort, workerData } from 'node:worker_threads';
import { pageText } from './page-text.ts';

/** The entry of the bounded worker: one page nobody vouches for, one answer. */
parentPort?.postMessage(pageText(workerData as string));
