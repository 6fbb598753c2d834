import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, coversEach, refuses, refusesEach } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';
import { approve, ask, type ProposedWorkflow, proposed, tamper, versionPath } from '../workflow-fixture.ts';
import { runCalls, type StartedWorkflow, stepAnswer } from '../workflow-run-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const NOBODY = '00000000-0000-8000-8000-000000000000';
const WRONG = `sha256:${'0'.repeat(64)}`;
const foreign = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };

const { start, command, started, graphOf, inState, stepOf, stepIn } = runCalls(() => server);

describe('starting', () => {
  covers('workflows.start', 'runs every step as its own agent in order and reports to the conversation', async () => {
    const made = await proposed(server);
    await approve(server, made);
    const prompts: string[] = [];
    server.model.script(({ lastText }) => {
      prompts.push(lastText);
      return { text: stepAnswer(lastText) };
    });
    const commandId = randomUUID();
    const first = await start(made, commandId);
    expect(first).toMatchObject({
      status: 202,
      data: {
        schema: 'svc.workflow-start-result.v1',
        status: 'prepared',
        workflowId: made.workflowId,
        version: 1,
        definitionHash: made.definitionHash,
        runId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        deduplicated: false,
        receipt: {
          schema: 'svc.workflow-command-receipt.v1',
          commandId,
          commandType: 'start-run',
          source: 'journal-event',
          resultingSeq: 1,
          resultingGraphVersion: 1,
        },
      },
    });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const run = `/sessions/${made.sessionId}/workflows/${first.data.runId}`;
    expect(await inState(run, 'succeeded', 'needs_attention')).toMatchObject({
      status: 'succeeded',
      total: 3,
      terminated: 3,
      attention: 0,
    });
    const again = await start(made, commandId);
    expect(again).toMatchObject({ status: 202, data: { ...first.data, deduplicated: true } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');

    const last = prompts.at(-1) ?? '';
    for (const words of ['Say which is better.', 'The first costs 3.', 'The second costs 5.', 'untrusted']) {
      expect(last).toContain(words);
    }
    const { stepSessionId, effectiveModel } = await stepOf(run, 'verdict');
    expect(effectiveModel).toEqual({ provider: 'ollama', model: 'tiny' });
    const { items } = (await server.call('GET', '/sessions')).data;
    const row = items.find((item: { sessionId: string }) => item.sessionId === stepSessionId);
    expect(row).toMatchObject({
      padreId: made.sessionId,
      taskId: `workflow:${first.data.runId}:verdict`,
      passoWorkflow: { runId: first.data.runId, nodeId: 'verdict' },
      permessi: 'Read only',
      nome: 'Judge',
      conclusa: true,
    });
    const output = await server.call('GET', `${run}/nodes/verdict/output`);
    expect(output.data).toMatchObject({ content: 'The first is better.' });
    await until(
      async () => JSON.stringify(await server.events(made.sessionId)).includes('svc.workflow-outcome.v1') || undefined,
    );
    server.model.script(({ lastText }) => ({ text: `You said: ${lastText}` }));
    await server.call('POST', `/sessions/${made.sessionId}/resume`, { body: { messaggio: 'And?' } });
    await server.settled(made.sessionId);
    const { body } = server.model.requests.at(-1) as { body: unknown };
    expect(JSON.stringify(body)).toContain('svc.workflow-outcome.v1');
  });

  refuses('workflows.start', 'NOT_FOUND', 'for an invalid version', async () => {
    const made = await proposed(server);
    const path = `/workflows/${made.workflowId}/versions/0`;
    expect(await start({ ...made, path })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
  refuses('workflows.start', 'WORKFLOW_PROPOSAL_NOT_FOUND', 'when nothing was proposed with that id', async () => {
    const reply = await start({ path: versionPath(NOBODY, 1), definitionHash: WRONG });
    expect(reply).toMatchObject({ status: 404, code: 'WORKFLOW_PROPOSAL_NOT_FOUND' });
  });
  refuses('workflows.start', 'WORKFLOW_DEFINITION_HASH_MISMATCH', 'when another definition was approved', async () => {
    const reply = await start({ ...(await proposed(server)), definitionHash: WRONG });
    expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_DEFINITION_HASH_MISMATCH' });
  });
  refuses('workflows.start', 'WORKFLOW_DEFINITION_NOT_APPROVED', 'when it is not approved', async () => {
    expect(await start(await proposed(server))).toMatchObject({
      status: 409,
      code: 'WORKFLOW_DEFINITION_NOT_APPROVED',
    });
  });

  const revised = async (made: ProposedWorkflow) => {
    const body = { definitionHash: made.definitionHash, budgets: { modelRequests: 70 } };
    const { data } = await server.call('POST', `${made.path}/revise`, { body });
    return { ...made, path: versionPath(made.workflowId, 2), definitionHash: data.definitionHash as string };
  };
  refuses('workflows.start', 'WORKFLOW_VERSION_NOT_LATEST', 'when a later version is proposed', async () => {
    const made = await proposed(server);
    await approve(server, made);
    await revised(made);
    expect(await start(made)).toMatchObject({ status: 409, code: 'WORKFLOW_VERSION_NOT_LATEST' });
  });
  refuses('workflows.start', 'WORKFLOW_VERSION_SUPERSEDED', 'when a later version is approved', async () => {
    const made = await proposed(server);
    await approve(server, made);
    await approve(server, await revised(made));
    expect(await start(made)).toMatchObject({ status: 409, code: 'WORKFLOW_VERSION_SUPERSEDED' });
  });
  refuses('workflows.start', 'WORKFLOW_ALREADY_STARTED', 'when another client started it', async () => {
    const made = await proposed(server);
    await approve(server, made);
    server.model.script(() => ({ text: 'ok' }));
    const replies = await Promise.all(Array.from({ length: 6 }, () => start(made)));
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 202)) {
      expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_ALREADY_STARTED' });
    }
  });
  refuses('workflows.start', 'WORKFLOW_COMMAND_CONFLICT', 'when the command id was used to approve', async () => {
    const made = await proposed(server);
    const commandId = randomUUID();
    await approve(server, made, commandId);
    expect(await start(made, commandId)).toMatchObject({ status: 409, code: 'WORKFLOW_COMMAND_CONFLICT' });
  });
  refuses('workflows.start', 'WORKFLOW_START_UNSUPPORTED', 'when it needs unsupported features', async () => {
    const made = await proposed(server);
    await approve(server, made);
    tamper(server, `UPDATE definition_phases SET kinds = '{"human":1}'; UPDATE definition_nodes SET kind = 'human'`);
    const reply = await start(made);
    expect(reply).toMatchObject({ code: 'WORKFLOW_START_UNSUPPORTED', reason: 'step-kind' });
  });
  refuses(
    'workflows.start',
    'WORKFLOW_STORE_NEEDS_ATTENTION',
    'when the stored definition cannot be read',
    async () => {
      const made = await proposed(server);
      await approve(server, made);
      tamper(server, `UPDATE definitions SET head = '{' WHERE workflow_id = '${made.workflowId}'`);
      expect(await start(made)).toMatchObject({ code: 'WORKFLOW_STORE_NEEDS_ATTENTION' });
    },
  );
  refuses('workflows.start', 'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN', 'from another origin', async () => {
    const made = await proposed(server);
    const body = { commandId: randomUUID(), definitionHash: made.definitionHash };
    const reply = await server.call('POST', `${made.path}/start`, { body, headers: foreign });
    expect(reply).toMatchObject({ status: 403, code: 'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN' });
  });
});

describe('controlling a run', () => {
  covers('workflows.run.pause', 'finishes running steps and starts no new ones', async () => {
    let release: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    const made = await proposed(server);
    await approve(server, made);
    server.model.script(async ({ lastText }) => {
      await hold;
      return { text: stepAnswer(lastText) };
    });
    const { runId } = (await start(made)).data;
    const run = `/sessions/${made.sessionId}/workflows/${runId}`;
    await stepIn(run, 'first', 'running');
    const commandId = randomUUID();
    const paused = await command(run, 'pause', commandId);
    expect(paused).toMatchObject({
      status: 202,
      data: { runId, deduplicated: false, receipt: { commandType: 'pause-run', outcome: 'accepted', runId } },
    });
    expect(await graphOf(run)).toMatchObject({ status: 'running', pauseRequested: true });
    release();
    expect(await inState(run, 'paused')).toMatchObject({ terminated: 2 });
    const again = await command(run, 'pause', commandId);
    expect(again.data).toEqual({ ...paused.data, deduplicated: true });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await command(run, 'resume')).toMatchObject({ status: 202 });
    expect(await inState(run, 'succeeded', 'needs_attention')).toMatchObject({ status: 'succeeded' });
  });

  covers('workflows.run.resume', 'continues a paused run', async () => {
    const { run } = await started((text) => (text.includes('first way') ? 'hold' : stepAnswer(text)));
    await stepIn(run, 'second', 'succeeded');
    await command(run, 'pause');
    server.model.script(({ lastText }) => ({ text: stepAnswer(lastText) }));
    const { stepSessionId } = await stepIn(run, 'first', 'running');
    await server.call('POST', `/sessions/${stepSessionId}/stop`);
    await inState(run, 'paused');
    expect(await command(run, 'resume')).toMatchObject({
      status: 202,
      data: { receipt: { commandType: 'resume-run' } },
    });
    expect(await inState(run, 'needs_attention')).toMatchObject({ attention: 1 });
  });

  covers('workflows.run.cancel', 'stops its agents and ends the run', async () => {
    const { run, sessionId } = await started(() => 'hold');
    const { stepSessionId } = await stepIn(run, 'first', 'running');
    expect(await server.call('POST', `/sessions/${sessionId}/delete`)).toMatchObject({
      status: 409,
      code: 'WORKFLOW_RUN_NOT_FINISHED',
    });
    expect(await command(run, 'cancel')).toMatchObject({
      status: 202,
      data: { receipt: { commandType: 'cancel-run' } },
    });
    expect(await inState(run, 'cancelled')).toMatchObject({ cancelRequested: true, terminated: 3 });
    expect(await server.settled(stepSessionId)).toMatchObject({ motivoChiusura: 'fermata' });
    const gone = await server.call('POST', `/sessions/${sessionId}/delete`);
    expect(gone.data).toEqual({ ok: true, workflowEliminati: 1, workflowNonEliminati: [] });
    expect(await server.call('GET', `${run}/graph`)).toMatchObject({ status: 404 });
  });

  covers('workflows.run.retry', 'repeats failed steps and their dependents and keeps the rest', async () => {
    const { run } = await started((text) => (text.includes('first way') ? 'fail' : stepAnswer(text)));
    expect(await inState(run, 'needs_attention')).toMatchObject({ attention: 1, terminated: 2 });
    const before = await stepOf(run, 'second');
    server.model.script(({ lastText }) => ({ text: stepAnswer(lastText) }));
    expect(await command(run, 'retry')).toMatchObject({
      status: 202,
      data: { receipt: { commandType: 'retry-node' } },
    });
    await inState(run, 'succeeded');
    expect(await stepOf(run, 'second')).toMatchObject({ stepSessionId: before.stepSessionId, attempt: 1 });
  });

  covers('workflows.run.retry-preview', 'returns the steps that a retry would repeat', async () => {
    const { run, runId } = await started((text) => (text.includes('first way') ? 'fail' : stepAnswer(text)));
    await inState(run, 'needs_attention');
    expect((await server.call('GET', `${run}/retry-preview`)).data).toEqual({
      schema: 'svc.workflow-retry-preview.v1',
      runId,
      falliti: [{ nodeId: 'first', label: 'Read the first', errorClass: 'provider_refused', attempt: 1 }],
      dipendenti: ['verdict'],
      conservati: 1,
    });
  });

  const CONTROLS = ['workflows.run.pause', 'workflows.run.resume', 'workflows.run.cancel', 'workflows.run.retry'];
  const nameOf = (operation: string): string => operation.split('.').at(-1) ?? '';

  coversEach(
    ['workflows.run.pause', 'workflows.run.resume', 'workflows.run.cancel', 'workflows.run.retry'],
    'takes exactly one key, as JSON, small',
    async (operation) => {
      const path = `/sessions/x/workflows/y/${nameOf(operation)}`;
      const commandId = randomUUID();
      for (const body of [{}, { commandId, more: 1 }, { commandId: NOBODY }]) {
        expect(await server.call('POST', path, { body })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
      }
      const large = { body: { commandId, more: 'x'.repeat(5_000) } };
      expect(await server.call('POST', path, large)).toMatchObject({ status: 413, code: 'PAYLOAD_LIMIT' });
    },
  );

  let settled: StartedWorkflow;
  const finished = async (): Promise<StartedWorkflow> => {
    if (settled) return settled;
    const made = await started(stepAnswer);
    await inState(made.run, 'succeeded');
    settled = made;
    return made;
  };

  refusesEach(
    'WORKFLOW_RUN_STATE_CONFLICT',
    ['workflows.run.pause', 'workflows.run.resume', 'workflows.run.cancel', 'workflows.run.retry'],
    async (operation) => {
      const { run } = await finished();
      const reply = await command(run, nameOf(operation));
      const reason = `${nameOf(operation)}-not-in-succeeded`;
      expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_RUN_STATE_CONFLICT', reason });
    },
  );
  refusesEach(
    'WORKFLOW_COMMAND_CONFLICT',
    ['workflows.run.pause', 'workflows.run.resume', 'workflows.run.cancel', 'workflows.run.retry'],
    async (operation) => {
      const made = await proposed(server);
      const commandId = randomUUID();
      await approve(server, made, commandId);
      const { run } = await finished();
      const reply = await command(run, nameOf(operation), commandId);
      expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_COMMAND_CONFLICT' });
    },
  );
  refusesEach(
    'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN',
    ['workflows.run.pause', 'workflows.run.resume', 'workflows.run.cancel', 'workflows.run.retry'],
    async (operation) => {
      const { run } = await finished();
      const options = { body: { commandId: randomUUID() }, headers: foreign };
      const reply = await server.call('POST', `${run}/${nameOf(operation)}`, options);
      expect(reply).toMatchObject({ status: 403, code: 'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN' });
    },
  );
  refusesEach(
    'NOT_FOUND',
    [
      'workflows.run.pause',
      'workflows.run.resume',
      'workflows.run.cancel',
      'workflows.run.retry',
      'workflows.run.retry-preview',
    ],
    async (operation) => {
      const { runId } = await finished();
      const other = await server.startSession();
      for (const run of [`/sessions/${other}/workflows/${runId}`, `/sessions/${other}/workflows/${NOBODY}`]) {
        const isRead = !CONTROLS.includes(operation);
        const reply = isRead ? await server.call('GET', `${run}/retry-preview`) : await command(run, nameOf(operation));
        expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      }
    },
  );
});

test('waits as long as the provider asks and resumes in the same place', async () => {
  const made = await proposed(server);
  await approve(server, made);
  server.model.script(({ lastText }) =>
    lastText.includes('first way')
      ? { fault: { kind: 'status', status: 429, retryAfter: 300 } }
      : { text: stepAnswer(lastText) },
  );
  const { runId } = (await start(made)).data;
  const run = `/sessions/${made.sessionId}/workflows/${runId}`;
  await stepIn(run, 'first', 'retry_wait');
  const [waits] = ask(
    server,
    `SELECT n.due_at - n.updated_at FROM run_nodes n JOIN runs r ON r.key = n.run
     WHERE r.run_id = '${runId}' AND n.state = 'retry_wait'`,
  );
  expect(waits).toBeGreaterThanOrEqual(299_000);
  expect(await graphOf(run)).toMatchObject({ status: 'running', attention: 0 });
  await command(run, 'cancel');
  await inState(run, 'cancelled');
});

describe('deleting', () => {
  refuses('sessions.delete', 'WORKFLOW_RUN_NOT_FINISHED', 'while a run of the session is in progress', async () => {
    const { run, sessionId } = await started((text) => (text.includes('first way') ? 'fail' : stepAnswer(text)));
    await inState(run, 'needs_attention');
    const reply = await server.call('POST', `/sessions/${sessionId}/delete`);
    expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_RUN_NOT_FINISHED' });
  });
});

test('an agent follows and controls its workflow with its tools', async () => {
  const { runId, sessionId, run } = await started((text) => (text.includes('first way') ? 'fail' : stepAnswer(text)));
  await inState(run, 'needs_attention');
  const calls = [
    { name: 'workflow_status', arguments: {} },
    { name: 'workflow_output', arguments: { runId, nodeId: 'second' } },
    { name: 'workflow_control', arguments: { runId, action: 'cancel' } },
  ];
  server.model.script(({ lastRole }) => (lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: calls }));
  await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: 'How does it go?' } });
  await server.settled(sessionId);
  const results = (await server.events(sessionId)).flatMap((event) =>
    event.type === 'ToolCallResult' ? [event.content] : [],
  );
  expect(results.some((content) => content.includes('"status":"needs_attention"'))).toBe(true);
  expect(results.some((content) => content.includes('The second costs 5.'))).toBe(true);
  await inState(run, 'cancelled');
});
