import { expect } from '@jest/globals';
import { refuses } from '../covers.ts';
import { importModel, serverWithProgram } from '../local-fixture.ts';

refuses('local-models.delete', 'RUNTIME_ALREADY_RUNNING', 'while the engine has the model loaded', async () => {
  await using server = await serverWithProgram();
  await importModel(server, 'held');
  const body = { runtimeId: 'llama.cpp', modelId: 'held' };
  expect((await server.call('POST', '/runtime/load', { body })).status).toBe(200);
  const refused = await server.call('POST', '/local-models/held/delete');
  expect([refused.status, refused.code]).toEqual([409, 'RUNTIME_ALREADY_RUNNING']);
  expect((await server.call('GET', '/local-models')).data.items).toHaveLength(1);
  await server.call('POST', '/runtime/unload', { body });
  expect((await server.call('POST', '/local-models/held/delete')).data).toEqual({ id: 'held', deleted: true });
});
