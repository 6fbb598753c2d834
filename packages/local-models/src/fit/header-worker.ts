import { parentPort, workerData } from 'node:worker_threads';
import { readHeaderFile } from './header-file.ts';

const { path, library } = workerData as { path: string; library: string | undefined };
void readHeaderFile(path, library).then((answer) => parentPort?.postMessage(answer));
