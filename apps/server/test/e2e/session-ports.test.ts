import { freePort, pageServerCommand } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({
    isApart: true,
    script: ({ lastRole, lastText }) => {
      const [, port] = /^SERVE (\d+)/.exec(lastText) ?? [];
      if (lastRole !== 'user' || port === undefined) return { text: 'Done.' };
      const comando = pageServerCommand(Number(port), `<h1>Page ${port}</h1>`);
      return { toolCalls: [{ name: 'shell', arguments: { comando, sfondo: true } }] };
    },
  });
});
afterAll(async () => server[Symbol.asyncDispose]());

const portsOf = (id: string) => `/ext/sessions/${id}/ports`;
const list = async (id: string): Promise<any[]> => (await server.call('GET', portsOf(id))).data.servers;
const open = (id: string, port: number) => server.call('POST', portsOf(id), { body: { port } });
const close = (id: string, port: number) => server.call('DELETE', `${portsOf(id)}/${port}`);
const pageAt = async (port: number, path = '/'): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}${path}`)).text();
const isClosed = (port: number): Promise<boolean> =>
  pageAt(port).then(
    () => false,
    () => true,
  );

/** A session whose command serves a page at a port of its sandbox. */
async function serving(): Promise<{ id: string; port: number }> {
  const port = await freePort();
  const id = await server.startSession({ consegna: `SERVE ${port}`, permessi: 'Workspace write' });
  await server.settled(id);
  await until(async () => ((await list(id)).length > 0 ? true : undefined));
  return { id, port };
}

covers('ext.ports.list', 'lists the servers of one session, which nothing on this computer reaches yet', async () => {
  const [{ id, port }, other] = [await serving(), await serving()];
  expect(await list(id)).toEqual([{ port, openedAt: null, because: null }]);
  expect(await list(other.id)).toEqual([{ port: other.port, openedAt: null, because: null }]);
  expect(await isClosed(port)).toBe(true);
  const unknown = await server.call('GET', portsOf('absent'));
  expect([unknown.status, unknown.code]).toEqual([404, 'NOT_FOUND']);
});

covers('ext.ports.open', 'opens the port of the session that has the server, and of no other', async () => {
  const [{ id, port }, other] = [await serving(), await serving()];
  for (const [session, absent] of [
    [id, other.port],
    [other.id, port],
    [id, server.port],
    [id, 1],
  ] as const) {
    const reply = await open(session, absent);
    expect([reply.status, reply.code, reply.reason]).toEqual([404, 'NOT_FOUND', 'no-server']);
  }
  for (const wrong of [0, 65_536, 1.5]) expect((await open(id, wrong)).code).toBe('QUERY_INVALID');
  expect((await open(id, port)).data).toEqual({ server: { port, openedAt: port, because: null } });
  expect(await pageAt(port)).toContain(`Page ${port}`);
  expect(await isClosed(other.port)).toBe(true);
});

covers('ext.ports.close', 'closes a port, and leaves the others open', async () => {
  const [first, second] = [await serving(), await serving()];
  for (const { id, port } of [first, second]) await open(id, port);
  expect((await close(first.id, second.port)).data).toEqual({ ok: true });
  expect((await close(first.id, first.port)).data).toEqual({ ok: true });
  await until(async () => ((await isClosed(first.port)) ? true : undefined));
  expect(await pageAt(second.port)).toContain(`Page ${second.port}`);
  expect(await list(first.id)).toEqual([{ port: first.port, openedAt: null, because: null }]);
});

test('a port closes when its server or its session ends', async () => {
  const [first, second] = [await serving(), await serving()];
  for (const { id, port } of [first, second]) await open(id, port);
  await pageAt(first.port, '/end');
  await until(async () => ((await isClosed(first.port)) ? true : undefined));
  expect(await list(first.id)).toEqual([]);
  expect(await server.call('POST', `/sessions/${second.id}/delete`)).toMatchObject({ status: 200 });
  await until(async () => ((await isClosed(second.port)) ? true : undefined));
});

test('a page of another site cannot open a port', async () => {
  const { id, port } = await serving();
  const reply = await server.call('POST', portsOf(id), {
    body: { port },
    headers: { origin: 'https://other.example' },
  });
  expect(reply.status).toBe(403);
  expect(await isClosed(port)).toBe(true);
});
