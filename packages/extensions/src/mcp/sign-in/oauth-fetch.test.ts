import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp, OutboundError, systemAmbient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { oauthFetch } from './oauth-fetch.ts';

/** A server of the local network; answers how often it was called. */
async function localServer() {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    calls: () => calls,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

test('the sign-in of a server on the internet cannot call the local network', async () => {
  await using local = await localServer();
  await using http = createOutboundHttp({ ambient: systemAmbient('silent') });
  for (const server of ['https://93.184.216.34/mcp', 'https://[2606:2800:220:1::1]/mcp'])
    await expect(oauthFetch(http, server)(local.url)).rejects.toBeInstanceOf(OutboundError);
  expect(local.calls()).toBe(0);
});

test('the sign-in of a server in the local network can be on another local address', async () => {
  await using local = await localServer();
  await using http = createOutboundHttp({ ambient: systemAmbient('silent') });
  const answer = await oauthFetch(http, 'http://127.0.0.1:9/mcp')(local.url);
  expect([answer.status, local.calls()]).toEqual([200, 1]);
});
