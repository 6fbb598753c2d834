import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

let site: Server;
let http: OutboundHttp;
let server: TestServer;
beforeAll(async () => {
  site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Oil</title><p>Cool it in oil.</p>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  http = createOutboundHttp({ ambient: systemAmbient('silent') });
  const here = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  server = await testServer({ http: redirectOrigins(http, { 'https://forge.example': here }) });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await http[Symbol.asyncDispose]();
  site.closeAllConnections();
  site.close();
});

interface Reading {
  say?: string;
  permessi?: string;
}

/** A session whose agent opens an address. */
async function opening(url: string, { say = 'Go.', permessi = 'Read only' }: Reading = {}): Promise<string> {
  server.model.script(({ lastRole }) =>
    lastRole === 'tool' ? { text: 'Read.' } : { toolCalls: [{ name: 'naviga', arguments: { url } }] },
  );
  return server.startSession({ permessi, consegna: say });
}

/** The agent's result. */
async function opened(url: string, reading: Reading = {}): Promise<string> {
  const id = await opening(url, reading);
  await server.settled(id);
  return resultsOf(id);
}

const resultsOf = async (id: string): Promise<string> =>
  JSON.stringify((await server.events(id)).filter(({ type }) => type === 'ToolCallResult'));

test('an agent reads an address that the user wrote, at every permission level', async () => {
  for (const permessi of ['Read only', 'Workspace write', 'On request', 'Full access'])
    expect(await opened('https://forge.example/oil', { say: 'Read https://forge.example/oil.', permessi })).toContain(
      'Cool it in oil.',
    );
});

test('an agent asks before it reads another address, and shows the data in it', async () => {
  const id = await opening('https://forge.example/oil?data=a%20secret', { say: 'Read https://forge.example/oil.' });
  const { azione, requestId } = await server.pending(id);
  expect(azione).toMatchObject({
    tipo: 'rete',
    host: '*.forge.example',
    indirizzo: 'https://forge.example/oil?data=a%20secret',
    dati: 'data=a secret',
  });
  await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: false } });
  await server.settled(id);
  expect(await resultsOf(id)).not.toContain('Cool it in oil.');
});

test('an agent reads any address at Full access, but none while the network is off', async () => {
  expect(await opened('https://forge.example/other', { permessi: 'Full access' })).toContain('Cool it in oil.');
  await server.call('POST', '/ext/sandbox/network', { body: { ambito: 'ovunque', modalita: 'spenta' } });
  const off = await opened('https://forge.example/oil', { say: 'https://forge.example/oil', permessi: 'Full access' });
  await server.call('POST', '/ext/sandbox/network', { body: { ambito: 'ovunque', modalita: null } });
  expect(off).toContain('The network is off');
});

test('an agent does not read a page while the user denies the tool', async () => {
  const deny = (denied: boolean) =>
    server.call('POST', '/ext/sandbox/tools', { body: { tool: 'naviga', scope: 'everywhere', denied } });
  await deny(true);
  const refused = await opened('https://forge.example/oil', { say: 'https://forge.example/oil' });
  await deny(false);
  expect(refused).toContain('turned this tool off');
});

test('an agent cannot read a page of this computer', async () => {
  const { port } = site.address() as AddressInfo;
  expect(await opened(`http://127.0.0.1:${port}/oil`)).toContain('not on the public internet');
});
