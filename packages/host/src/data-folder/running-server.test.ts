import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { answeringServer, noteRunningServer } from './running-server.ts';

test('finds a server that takes seconds to answer, and none where nothing listens', async () => {
  await using dir = await tempDir();
  const server = createServer((_request, response) => void delay(3_000).then(() => response.end('{}')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await noteRunningServer(dir.path, { url });
  expect(await answeringServer(dir.path)).toMatchObject({ url });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await answeringServer(dir.path)).toBeUndefined();
});
