import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { LAUNCHER_TOKEN, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let place: TempDir;
beforeAll(async () => {
  place = await tempDir();
  await place.write({ 'handed over/a.txt': 'a' });
  server = await testServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const offer = (percorso: unknown, token: string | undefined = LAUNCHER_TOKEN, on = server) =>
  on.call('POST', '/workspace-launches', {
    body: { percorso },
    headers: token === undefined ? {} : { 'x-svc-launcher-token': token },
  });

covers('launches.offer', 'offers a folder that one session can use once', async () => {
  const { data } = await offer(join(place.path, 'handed over'));
  expect(data).toEqual({
    launchId: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
    id: data.launchId,
    nome: 'handed over',
    scadeAlle: expect.stringMatching(/^20\d\d-/),
  });
  const id = await server.startSession({ cartellaLibera: undefined, workspaceLaunchId: data.launchId });
  expect((await server.settled(id)).taskId).toBe('libero:workspace-launch');
  const body = { workspaceLaunchId: data.launchId, consegna: 'again', modello: 'ollama:tiny' };
  expect((await server.call('POST', '/sessions/custom', { body })).code).toBe('WORKSPACE_LAUNCH_NOT_AVAILABLE');
  for (const bad of ['relative', '', '/a/../b', 7]) expect((await offer(bad)).code).toBe('QUERY_INVALID');
});

covers('launches.read', 'returns a launch by id without its path', async () => {
  const { data } = await offer(join(place.path, 'handed over'));
  const reply = await server.call('GET', `/workspace-launches/${data.launchId}`);
  expect(reply.data).toEqual(data);
  expect(reply.text).not.toContain(place.path);
});

refuses('launches.read', 'WORKSPACE_LAUNCH_NOT_AVAILABLE', 'for an unknown launch', async () => {
  expect(await server.call('GET', `/workspace-launches/${'x'.repeat(32)}`)).toMatchObject({
    status: 410,
    code: 'WORKSPACE_LAUNCH_NOT_AVAILABLE',
  });
});

refuses('launches.offer', 'WORKSPACE_NOT_AVAILABLE', 'for a missing folder, a file, and the data folder', async () => {
  for (const path of [join(place.path, 'gone'), join(place.path, 'handed over/a.txt'), server.dataDir]) {
    expect((await offer(path)).code).toBe('WORKSPACE_NOT_AVAILABLE');
  }
});

refuses(
  'launches.offer',
  'WORKSPACE_LAUNCH_UNAUTHORIZED',
  'without the launcher secret, or when none is configured',
  async () => {
    for (const token of ['', 'wrong', `${LAUNCHER_TOKEN}x`]) {
      expect(await offer(place.path, token)).toMatchObject({ status: 403, code: 'WORKSPACE_LAUNCH_UNAUTHORIZED' });
    }
    await using without = await testServer({ settings: { launcherToken: undefined } });
    expect((await offer(place.path, LAUNCHER_TOKEN, without)).code).toBe('WORKSPACE_LAUNCH_UNAUTHORIZED');
  },
);
