import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, TOKEN, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

/** What the server sends until it ends the connection, whose client never ends it. */
async function whole(start: string, drip = ''): Promise<{ text: string; afterMs: number }> {
  const startedAt = performance.now();
  const socket: Socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(start);
  const dripping = setInterval(() => drip && socket.write(drip), 1_000);
  let text = '';
  let afterMs = 0;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  // The end of what it sends comes first; that it no longer reads shows as an error of a write.
  socket.on('end', () => (afterMs = performance.now() - startedAt));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const probing = setInterval(() => afterMs && socket.write('x'), 100);
  await closed;
  clearInterval(dripping);
  clearInterval(probing);
  return { text, afterMs };
}

test('a connection with half-sent headers ends after ten seconds, also when more trickle in', async () => {
  const half = `GET /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
  const ended = await Promise.all([whole(half), whole(half, 'X-More: 1\r\n')]);
  for (const { text, afterMs } of ended) {
    expect(text).toContain('QUERY_INVALID');
    expect(afterMs).toBeGreaterThanOrEqual(9_900);
  }
});

test('a declared body that does not come is answered', async () => {
  const post = (path: string, lines: string[]): string =>
    [
      `POST /api/v1${path} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `Cookie: svc_token=${TOKEN}`,
      ...lines,
      'Content-Length: 100',
      '',
      '',
    ].join('\r\n');
  const json = ['Content-Type: application/json'];
  const answers = await Promise.all([
    whole(post('/me/notes', json)),
    whole(`${post('/me/notes', json)}{"titolo"`),
    whole(post('/sessions/none/stop', json)),
    whole(post('/none', json)),
  ]);
  expect(answers.map(({ text }) => text.split(' ')[1])).toEqual(['400', '400', '400', '404']);
});
