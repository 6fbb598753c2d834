import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import { createOutboundHttp } from './outbound-http.ts';

/** In its own thread, so that it continues while this process is busy. */
const SERVER = `
  const { parentPort, workerData: answered } = require('node:worker_threads');
  const server = require('node:http').createServer((request, response) => {
    parentPort.postMessage('asked');
    setTimeout(() => response.write('first '), 200);
    setTimeout(() => response.end('second', () => Atomics.notify(answered, 0, Atomics.store(answered, 0, 1))), 600);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Busy, as while processing a large answer of another model, until this one has been sent. */
function keepBusy(answered: Int32Array): void {
  while (Atomics.load(answered, 0) === 0) Atomics.wait(answered, 0, 0, 100);
  // Past the time in which more would have had to come.
  Atomics.wait(answered, 0, 1, 400);
}

test('accepts a response that arrived while the process was busy past the timeout', async () => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SERVER, { eval: true, workerData: answered });
  await using http = createOutboundHttp({ ambient: systemAmbient('silent') });
  try {
    const [port] = await once(worker, 'message');
    const limits = { connectMs: 400, firstResponseMs: 400, idleMs: 300 };
    const answering = http.send({ url: `http://127.0.0.1:${port}/`, policy: 'configured', limits });
    await once(worker, 'message');
    keepBusy(answered);
    expect(await (await answering).text()).toBe('first second');
  } finally {
    await worker.terminate();
  }
});
