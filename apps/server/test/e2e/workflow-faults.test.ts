import { randomUUID } from 'node:crypto';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusesEach } from '../covers.ts';
import { breakStore, type Reply, type TestServer, testServer, until } from '../harness.ts';
import { approve, ask, type ProposedWorkflow, proposed, tamper } from '../workflow-fixture.ts';

interface HeldRun extends ProposedWorkflow {
  run: string;
}

/** A run whose first steps never end. */
async function heldRun(server: TestServer): Promise<HeldRun> {
  const made = await proposed(server);
  await approve(server, made);
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const body = { commandId: randomUUID(), definitionHash: made.definitionHash };
  const { data } = await server.call('POST', `${made.path}/start`, { body });
  const run = `/sessions/${made.sessionId}/workflows/${data.runId}`;
  await until(async () => {
    const step = (await server.call('GET', `${run}/nodes/first`)).data;
    return step.state === 'running' || undefined;
  });
  return { ...made, run };
}

/** Every run command, by operation, and the start of its version. */
function command(server: TestServer, { run, path, definitionHash }: HeldRun, operation: string): Promise<Reply> {
  const commandId = randomUUID();
  if (operation === 'workflows.start') {
    return server.call('POST', `${path}/start`, { body: { commandId, definitionHash } });
  }
  const name = operation.split('.').at(-1) ?? '';
  if (name === 'retry-preview') return server.call('GET', `${run}/${name}`);
  return server.call('POST', `${run}/${name}`, { body: { commandId } });
}

describe('a workflow store that cannot be opened', () => {
  let server: TestServer;
  let held: HeldRun;
  beforeAll(async () => {
    const damaged = await tempDir();
    await damaged.write({ 'workflows.db': 'not a database, and long enough to be read as one. '.repeat(100) });
    server = await testServer({ dataDir: damaged.path });
    const path = '/workflows/00000000-0000-8000-8000-000000000000/versions/1';
    held = { run: '/sessions/x/workflows/y', path, definitionHash: `sha256:${'0'.repeat(64)}` } as HeldRun;
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  refusesEach(
    'WORKFLOW_STORE_UNAVAILABLE',
    [
      'workflows.start',
      'workflows.run.pause',
      'workflows.run.resume',
      'workflows.run.cancel',
      'workflows.run.retry',
      'workflows.run.retry-preview',
    ],
    async (operation) => {
      expect(await command(server, held, operation)).toMatchObject({ status: 503, code: 'WORKFLOW_STORE_UNAVAILABLE' });
    },
  );

  test('does not block deleting a session', async () => {
    const sessionId = await server.startSession();
    await server.settled(sessionId);
    expect(await server.call('POST', `/sessions/${sessionId}/delete`)).toMatchObject({ ok: true });
  });
});

describe('a recovery that cannot be written', () => {
  let server: TestServer;
  let held: HeldRun;
  beforeAll(async () => {
    const place = await tempDir();
    await using first = await testServer({ dataDir: place.path });
    held = await heldRun(first);
    await first.stop();
    tamper(first, `CREATE TRIGGER refuse BEFORE UPDATE ON run_nodes BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    server = await testServer({ dataDir: place.path });
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  refusesEach(
    'WORKFLOW_RUNTIME_NOT_READY',
    [
      'workflows.start',
      'workflows.run.pause',
      'workflows.run.resume',
      'workflows.run.cancel',
      'workflows.run.retry',
      'workflows.run.retry-preview',
    ],
    async (operation) => {
      expect(await command(server, held, operation)).toMatchObject({ status: 503, code: 'WORKFLOW_RUNTIME_NOT_READY' });
    },
  );

  test('marks every run for attention and is tried again', async () => {
    expect((await server.call('GET', `${held.run}/graph`)).data).toMatchObject({ status: 'running' });
    server.model.script(() => ({ text: 'Here.' }));
    tamper(server, 'DROP TRIGGER refuse');
    const graph = await until(async () => {
      const { data } = await server.call('GET', `${held.run}/graph`);
      return data.status === 'succeeded' ? data : undefined;
    });
    expect(graph).toMatchObject({ terminated: 3 });
  });
});

test('finishes deleting the workflows of a half deleted session at the next start', async () => {
  await using place = await tempDir();
  await using first = await testServer({ dataDir: place.path });
  const kept = await heldRun(first);
  const lost = await proposed(first);
  await first.stop();
  await breakStore(place.path, `DELETE FROM sessions WHERE id = '${lost.sessionId}'`);
  await using next = await testServer({ dataDir: place.path });
  await until(async () => ask(next, 'SELECT count(DISTINCT session_id) FROM definitions')[0] === 1 || undefined);
  const stands = async () => ((await next.call('GET', `${kept.run}/graph`)).data as { status: string }).status;
  expect(await until(async () => ((await stands()) === 'succeeded' ? 'so' : undefined))).toBe('so');
});

describe('a server that is shutting down', () => {
  let server: TestServer;
  let held: HeldRun;
  beforeAll(async () => {
    server = await testServer();
    held = await heldRun(server);
    await server.host.quiesce();
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  refusesEach(
    'SERVER_SHUTTING_DOWN',
    ['workflows.start', 'workflows.run.resume', 'workflows.run.retry'],
    async (operation) => {
      expect(await command(server, held, operation)).toMatchObject({ code: 'SERVER_SHUTTING_DOWN' });
    },
  );

  test('still accepts commands that end work', async () => {
    expect(await command(server, held, 'workflows.run.pause')).toMatchObject({ status: 202 });
  });
});

describe('a definition that cannot be read', () => {
  let server: TestServer;
  let held: HeldRun;
  beforeAll(async () => {
    server = await testServer();
    held = await heldRun(server);
    tamper(server, `UPDATE definitions SET head = '{'`);
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  refusesEach(
    'WORKFLOW_STORE_NEEDS_ATTENTION',
    ['workflows.run.pause', 'workflows.run.resume', 'workflows.run.cancel', 'workflows.run.retry'],
    async (operation) => {
      expect(await command(server, held, operation)).toMatchObject({ code: 'WORKFLOW_STORE_NEEDS_ATTENTION' });
    },
  );
});
