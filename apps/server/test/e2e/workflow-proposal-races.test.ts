import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';
import { approve, type ProposedWorkflow, proposed, versionPath } from '../workflow-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const revise = ({ path, definitionHash }: ProposedWorkflow, budgets: object) =>
  server.call('POST', `${path}/revise`, { body: { definitionHash, budgets } });

test('of concurrent revisions one creates the next version, and the others get a conflict or the same version', async () => {
  const made = await proposed(server);
  const wishes = [10, 11, 12, 10, 11, 12].map((modelRequests) => ({ modelRequests }));
  const replies = await Promise.all(wishes.map((budgets) => revise(made, budgets)));
  const winners = replies.filter(({ status }) => status === 201);
  expect(new Set(winners.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  expect(winners).toHaveLength(2);
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_VERSION_NOT_LATEST' });
  }
  const { data } = await server.call('GET', `/sessions/${made.sessionId}/workflow-proposals`);
  expect(data.items.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
});

test('revising during an approval never changes what was approved', async () => {
  const made = await proposed(server);
  const [approved, revised] = await Promise.all([approve(server, made), revise(made, { modelRequests: 10 })]);
  expect([approved.status, revised.status]).toEqual([200, 201]);
  const standing = async (version: number) => (await server.call('GET', versionPath(made.workflowId, version))).data;
  expect(await standing(1)).toMatchObject({ status: 'approved', definitionHash: made.definitionHash });
  expect(await standing(2)).toMatchObject({ status: 'proposed', approval: null });
});

test('a command repeated after a restart returns its receipt', async () => {
  const first = await testServer();
  const made = await proposed(first);
  const commandId = randomUUID();
  const { data } = await approve(first, made, commandId);
  await first.stop();
  const second = await testServer({ dataDir: first.dataDir });
  expect((await approve(second, made, commandId)).data).toEqual({ ...data, deduplicated: true });
  expect(await approve(second, made)).toMatchObject({ code: 'WORKFLOW_APPROVAL_CONFLICT' });
  await second[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
});
