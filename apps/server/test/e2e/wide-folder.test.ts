import { dirname } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const REFUSED = { status: 400, code: 'PERMISSIONS_INVALID', reason: 'folder-too-wide' };
const start = (cartellaLibera: string, permessi?: string) =>
  server.call('POST', '/sessions/custom', {
    body: { cartellaLibera, consegna: 'Look around.', modello: 'ollama:tiny', ...(permessi && { permessi }) },
  });

refuses(
  'sessions.create-custom',
  'PERMISSIONS_INVALID',
  'for Workspace write in the home folder or above',
  async () => {
    // The home folder of a test server is its data folder.
    for (const folder of [dirname(server.dataDir), '/']) {
      expect(await start(folder)).toMatchObject(REFUSED);
      expect(await start(folder, 'Workspace write')).toMatchObject(REFUSED);
    }
    const { status, data } = await start('/', 'Read only');
    expect(status).toBe(200);
    await server.settled(data.sessionId);
  },
);

refuses('sessions.settings', 'PERMISSIONS_INVALID', 'for Workspace write in the home folder or above', async () => {
  const { data } = await start('/', 'Read only');
  await server.settled(data.sessionId);
  const path = `/sessions/${data.sessionId}/settings`;
  expect(await server.call('POST', path, { body: { permessi: 'Workspace write' } })).toMatchObject(REFUSED);
  expect((await server.call('POST', path, { body: { permessi: 'On request' } })).status).toBe(200);
});
