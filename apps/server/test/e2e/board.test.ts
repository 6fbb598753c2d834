import { get } from 'node:http';
import { tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers } from '../covers.ts';
import { type TestServer, TOKEN, testServer, until } from '../harness.ts';

/** `write <file>` reads it and writes three lines, `ask` needs an approval, `wait` runs until it is stopped. */
const script: NonNullable<Parameters<typeof testServer>[0]>['script'] = ({ lastRole, lastText }) => {
  if (lastRole !== 'user') return { text: 'I looked at everything.\n\n**All files are written.**\n```\n' };
  const [order = '', file = 'a.txt'] = lastText.split(' ');
  if (order === 'write') {
    const calls = [
      { name: 'leggi', arguments: { percorso: file } },
      { name: 'scrivi', arguments: { percorso: file, contenuto: 'one\ntwo\nthree\n' } },
    ];
    return { toolCalls: calls };
  }
  if (order === 'ask') return { toolCalls: [{ name: 'shell', arguments: { comando: 'echo hello' } }] };
  if (order === 'wait')
    return { text: 'Working on it', toolCalls: [{ name: 'shell', arguments: { comando: 'sleep 60' } }] };
  return { text: 'Hello.' };
};

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ script });
});
afterAll(async () => server[Symbol.asyncDispose]());

const rows = async (): Promise<any[]> => (await server.call('GET', '/ext/board')).data.sessioni;
const rowOf = async (id: string): Promise<any> => (await rows()).find(({ sessionId }) => sessionId === id);
const start = (consegna: string, permessi = 'Workspace write') => server.startSession({ consegna, permessi });

covers('ext.board.read', 'shows the last line, the changed lines and the cost of each session', async () => {
  await using repo = await tempRepo({ 'a.txt': 'one\n2\n' });
  const id = await server.startSession({
    cartellaLibera: repo.path,
    consegna: 'write a.txt',
    permessi: 'Workspace write',
  });
  await server.settled(id);
  const row = await rowOf(id);
  expect(row).toEqual({
    sessionId: id,
    stato: 'conclusa',
    ultimaRiga: '**All files are written.**',
    attrezzo: null,
    file: 1,
    aggiunte: 2,
    rimosse: 1,
    costoUsd: 0,
    chiamateSenzaCosto: expect.any(Number),
    giroIniziatoAlle: expect.any(String),
    giroFinitoAlle: expect.any(String),
  });
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: '/undo' } });
  await until(async () => ((await rowOf(id)).file === 0 ? true : undefined));
});

test('a session that waits for the user or runs is listed with its tool, and a client with the same board gets 304', async () => {
  const asking = await start('ask', 'On request');
  const running = await start('wait');
  await until(async () => ((await rowOf(running))?.attrezzo === 'shell' ? true : undefined));
  await until(async () => ((await rowOf(asking))?.stato === 'in-attesa' ? true : undefined));
  expect(await rowOf(running)).toMatchObject({
    stato: 'in-corso',
    ultimaRiga: 'Working on it',
    giroFinitoAlle: null,
  });
  const first = await server.call('GET', '/ext/board');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\//);
  expect((await server.call('GET', '/ext/board', { headers: { 'if-none-match': etag } })).status).toBe(304);
  await server.call('POST', `/sessions/${running}/stop`);
  await server.settled(running);
  expect((await server.call('GET', '/ext/board', { headers: { 'if-none-match': etag } })).status).toBe(200);
  expect(await rowOf(running)).toMatchObject({ stato: 'conclusa', attrezzo: null });
  await server.call('POST', `/sessions/${asking}/stop`);
  await server.settled(asking);
});

test('a deleted session leaves the board', async () => {
  const id = await start('hello');
  await server.settled(id);
  expect(await rowOf(id)).toMatchObject({ ultimaRiga: 'Hello.', file: 0 });
  await server.call('POST', `/sessions/${id}/delete`);
  expect(await rowOf(id)).toBeUndefined();
});

covers(
  'ext.board.events',
  'sends the board at once and again when a session changes, and ends with the client',
  async () => {
    const boards: any[][] = [];
    const headers = { cookie: `svc_token=${TOKEN}` };
    const request = get(`${server.url}api/v1/ext/board/events`, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const lines = text.split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('data: ')) boards.push(JSON.parse(line.slice(6)).sessioni);
      });
    });
    try {
      await until(async () => (boards.length > 0 ? true : undefined));
      const id = await start('write b.txt');
      const last = () => boards.at(-1)?.find(({ sessionId }) => sessionId === id);
      await until(async () => (last()?.stato === 'conclusa' && last().file === 1 ? true : undefined));
      const count = boards.length;
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(boards).toHaveLength(count);
    } finally {
      request.destroy();
    }
  },
);
