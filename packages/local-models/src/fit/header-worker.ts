import { parentPort, workerData } from 'node:worker_threads';
import { readHeaderFile } from './header-file.ts';

const { path, looksAtTemplate } = workerData as { path: string; looksAtTemplate: boolean };
void readHeaderFile(path, looksAtTemplate).then((answer) => parentPort?.postMessage(answer));
