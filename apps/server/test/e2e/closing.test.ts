import { Agent, request } from 'node:http';
import { expect, test } from '@jest/globals';
import { TOKEN, testServer } from '../harness.ts';

interface Seen {
  status: number;
  code: string | undefined;
}

test('a request that arrives while the server closes is answered whole or refused, never from a closed store', async () => {
  await using server = await testServer();
  const id = await server.startSession();
  await server.settled(id);
  const seen: Seen[] = [];
  const asking = Array.from({ length: 24 }, () => askUntilRefused(server.port, `/sessions/${id}/export`, seen));
  while (seen.length < 48) await new Promise((resolve) => setImmediate(resolve));
  await server.stop();
  await Promise.all(asking);
  const wrong = seen.filter(({ status, code }) => status !== 200 && code !== 'SERVER_SHUTTING_DOWN');
  expect(wrong).toEqual([]);
});

/** One request after the other over one connection, until the server no longer answers. */
async function askUntilRefused(port: number, path: string, seen: Seen[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) seen.push(await ask(agent, { port, path: `/api/v1${path}` }));
  } catch {
    agent.destroy();
  }
}

function ask(agent: Agent, { port, path }: { port: number; path: string }): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, headers: { cookie: `svc_token=${TOKEN}` } });
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).error?.code }));
    });
    sent.once('error', reject).end();
  });
}
