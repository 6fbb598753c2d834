import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import { createOutboundHttp } from './outbound-http.ts';

/** In its own thread, so that it continues while this process is busy. */
const SERVER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:http').createServer((request, response) => {
    parentPort.postMessage('asked');
    setTimeout(() => response.write('first '), 200);
    setTimeout(() => response.end('second'), 600);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Busy, as while processing a large answer of another model. */
function keepBusy(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('accepts a response that arrived while the process was busy past the timeout', async () => {
  const worker = new Worker(SERVER, { eval: true });
  await using http = createOutboundHttp({ ambient: systemAmbient('silent') });
  try {
    const [port] = await once(worker, 'message');
    const limits = { connectMs: 400, firstResponseMs: 400, idleMs: 300 };
    const answering = http.send({ url: `http://127.0.0.1:${port}/`, policy: 'configured', limits });
    await once(worker, 'message');
    keepBusy(1_000);
    expect(await (await answering).text()).toBe('first second');
  } finally {
    await worker.terminate();
  }
});
