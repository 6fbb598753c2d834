import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import { expect, test } from '@jest/globals';
import type { Frame } from '../src/http/answers.ts';
import { sendFrames } from '../src/http/sse.ts';
import { until } from './harness.ts';

interface Stream extends AsyncDisposable {
  ambient: FakeAmbient;
  response: ServerResponse;
  client: Socket;
  /** Resolves when the server has finished the stream. */
  sent: Promise<void>;
}

/** Frames sent to a client that has not read anything yet. */
async function stream(frames: (signal: AbortSignal) => AsyncIterable<readonly Frame[]>): Promise<Stream> {
  const ambient = fakeAmbient();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.on('error', () => undefined); // One of these tests expects a closed connection.
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const sent = sendFrames(response, frames(gone.signal), { ambient, signal: gone.signal });
  return {
    ambient,
    response,
    client,
    sent,
    async [Symbol.asyncDispose]() {
      client.destroy();
      await sent;
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('disconnects a client that reads nothing for thirty seconds and frees its frames', async () => {
  let isLetGo = false;
  let sent = 0;
  await using one = await stream(async function* () {
    try {
      for (let id = 1; ; id += 1) {
        sent = id;
        yield [{ id, json: JSON.stringify('x'.repeat(64 * 1024)) }];
      }
    } finally {
      isLetGo = true;
    }
  });
  // Until the buffers of both ends are full: each frame that still fits is a sign of life.
  await until(async () => {
    const before = sent;
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    return (one.response.writableNeedDrain && sent === before) || undefined;
  });
  await one.ambient.advance(29_999);
  expect([one.response.destroyed, isLetGo]).toEqual([false, false]);
  await one.ambient.advance(1);
  await one.sent;
  expect([one.response.destroyed, isLetGo]).toEqual([true, true]);
});

test('sends a comment every fifteen seconds on a quiet stream', async () => {
  await using one = await stream(async function* (signal) {
    yield [{ id: 7, json: '{}' }];
    await once(signal, 'abort');
  });
  let text = '';
  one.client.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
  await until(async () => text.includes('data: {}') || undefined);
  expect(text).not.toContain('keep-alive\n');
  await one.ambient.advance(14_999);
  await one.ambient.advance(1);
  await one.ambient.advance(15_000);
  await until(async () => text.split(': keep-alive\n\n').length === 3 || undefined);
  expect(text).toContain('retry: 3000\n\n');
  expect(text).toContain('id: 7\ndata: {}\n\n');
});
