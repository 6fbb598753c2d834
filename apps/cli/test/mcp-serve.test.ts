import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { testComputer } from './harness.ts';

const CLI = join(import.meta.dirname, '../dist/main.js');

test('fucina mcp serve lets another agent run a session in its folder', async () => {
  await using computer = await testComputer([{ text: 'Done.' }]);
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', 'serve'],
    env: computer.env,
    cwd: computer.project.path,
  });
  await client.connect(transport);
  expect(client.getServerVersion()?.name).toBe('fucina');
  const call = async (name: string, args: object) => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...args } });
    return structuredContent as Record<string, unknown>;
  };
  const { sessionId } = await call('start_session', { message: 'Do it.', model: 'ollama:tiny' });
  expect(await call('wait_for_session', { sessionId, timeoutSeconds: 30 })).toMatchObject({
    state: 'finished',
    answer: 'Done.',
  });
  const { pid } = transport;
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow();
});
