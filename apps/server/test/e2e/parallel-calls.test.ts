import { PARALLEL_TOOLS } from '@fucina/conversation';
import { expect, test } from '@jest/globals';
import { testServer } from '../harness.ts';

test('the list of tools whose calls run in parallel is that of the tools themselves', async () => {
  await using server = await testServer();
  const id = await server.startSession();
  await server.settled(id);
  const { tools } = await server.host.services.sessions.offered(id);
  const areParallel = tools.filter(({ effect, isParallel }) => isParallel || effect === 'read' || effect === 'network');
  const offered = areParallel.map(({ name }) => name);
  // Offered only with a language server, with other tools on demand, or with skills.
  expect([...offered, 'code_navigate', 'find_tools', 'skill_read'].sort()).toEqual([...PARALLEL_TOOLS].sort());
});
