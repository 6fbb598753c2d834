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

/** The agent's result when it opened an address. */
async function opened(url: string): Promise<string> {
  server.model.script(({ lastRole }) =>
    lastRole === 'tool' ? { text: 'Read.' } : { toolCalls: [{ name: 'naviga', arguments: { url } }] },
  );
  const id = await server.startSession({ permessi: 'Read only' });
  await server.settled(id);
  return JSON.stringify((await server.events(id)).filter(({ type }) => type === 'ToolCallResult'));
}

test('an agent reads a public web page at every permission level', async () => {
  expect(await opened('https://forge.example/oil')).toContain('Cool it in oil.');
});

test('an agent cannot read a page of this computer', async () => {
  const { port } = site.address() as AddressInfo;
  expect(await opened(`http://127.0.0.1:${port}/oil`)).toContain('not on the public internet');
});
