import { parentPort, workerData } from 'node:worker_threads';
import { type OverlayRequest, withOverlay } from './overlay-page.ts';

/** Entry point of the bounded worker: one page of a development server, one answer. */
parentPort?.postMessage(withOverlay(workerData as OverlayRequest));
