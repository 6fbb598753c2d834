import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let order: Record<string, unknown> = {};
beforeAll(async () => {
  server = await testServer();
  await server.project.write({
    '.claude/agents/reviewer.md':
      '---\nname: reviewer\ndescription: Reviews changes\ntools: Read, Grep, Telepathy\nmodel: sonnet\n---\nLook for off-by-one errors.',
  });
  server.model.script(({ lastRole, lastText }) => {
    if (lastRole === 'tool') return { text: 'All done.' };
    return lastText.startsWith('Delegate')
      ? { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'Look at the pager', ...order } }] }
      : { text: 'Looked.' };
  });
});
afterAll(async () => server[Symbol.asyncDispose]());

/** What the model of the sub-agent was sent, and what the parent's model read. */
async function delegated(given: Record<string, unknown>) {
  order = given;
  const before = server.model.requests.length;
  const id = await server.startSession({ consegna: 'Delegate it', permessi: 'Full access' });
  await server.settled(id);
  const bodies = server.model.requests.slice(before).map(({ body }) => body as any);
  const child = bodies.find(({ messages }) =>
    messages.some(({ role, content }: any) => role === 'user' && JSON.stringify(content).includes('Look at the pager')),
  );
  const result = (await server.events(id)).find(({ type }) => type === 'ToolCallResult') as any;
  return { parent: bodies[0], child, result };
}

const toolNames = (body: any): string[] => body.tools.map((tool: any) => tool.function.name).sort();

test('a sub-agent of the project has its instructions, its tools and the model of the session', async () => {
  const { parent, child, result } = await delegated({ agente: 'reviewer' });
  expect(JSON.stringify(parent)).toContain('- reviewer: Reviews changes');
  expect(JSON.stringify(parent)).not.toContain('off-by-one');
  expect(JSON.stringify(child)).toContain('You are the agent reviewer of this project.');
  expect(JSON.stringify(child)).toContain('Look for off-by-one errors.');
  expect(toolNames(child)).toEqual(['glob', 'grep', 'read']);
  expect(child.model).toBe(parent.model);
  expect(result.fallito).toBeUndefined();
  expect(result.content).toContain('unknown tool: Telepathy');
  expect(result.content).toContain('model sonnet: not a known model');
});

test('without a kind, a sub-agent has all tools and no such instructions', async () => {
  const { child } = await delegated({});
  expect(toolNames(child)).toContain('bash');
  expect(JSON.stringify(child)).not.toContain('off-by-one');
});

test('an unknown kind is refused with the names of those that exist', async () => {
  const { child, result } = await delegated({ agente: '../reviewer' });
  expect(child).toBeUndefined();
  expect(result).toMatchObject({ fallito: true, content: expect.stringContaining('Agents of the project: reviewer.') });
});
