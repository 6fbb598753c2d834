import { PARALLEL_TOOLS } from '@fucina/conversation';
import { expect, test } from '@jest/globals';
import { testServer } from '../harness.ts';

test('the list of tools whose calls run in parallel is that of the tools themselves', async () => {
  await using server = await testServer();
  await server.project.write({ '.svc/skills/release/SKILL.md': '---\nname: Release\ndescription: How\n---\nTag.\n' });
  const id = await server.startSession();
  await server.settled(id);
  const { tools } = await server.host.services.sessions.offered(id);
  const areParallel = tools.filter(({ effect, isParallel }) => isParallel || effect === 'read' || effect === 'network');
  const offered = areParallel.map(({ name }) => name);
  // Offered only with a language server or with tools on demand: code-tools.test, on-demand-tools.test.
  expect([...offered, 'code_navigate', 'find_tools', 'use_tool'].sort()).toEqual([...PARALLEL_TOOLS].sort());
});
