import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Script } from 'node:vm';
import { expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import { createOutboundHttp } from './outbound-http.ts';

test('the first HTTP connection leaves the flags of V8 as they were: code stored before still fits', async () => {
  const source = 'globalThis.one = () => 1';
  const cachedData = new Script(source).createCachedData();
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await using http = createOutboundHttp({ ambient: systemAmbient('silent') });
    const { port } = server.address() as AddressInfo;
    await http.send({ url: `http://127.0.0.1:${port}`, policy: 'configured' });
    await nextTurn();
    expect(new Script(source, { cachedData }).cachedDataRejected).toBe(false);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
