import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../test/harness.ts';
import { call, finish, say, used } from './testing.ts';

const order = (parentId: string, changes = {}) => ({
  sessionId: '11111111-1111-4111-8111-111111111111',
  parentId,
  runId: 'run-1',
  nodeId: 'node-1',
  name: 'Look at it',
  message: 'Look at a.ts.',
  model: null,
  maxModelCalls: null,
  ...changes,
});
const never = new AbortController().signal;

/** Resolves once the session is on disk; its result is in `run`. */
async function begin(setup: TestSessions, what: ReturnType<typeof order>) {
  let begun: () => void = () => undefined;
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  const run = setup.sessions.workflowSteps.run(what, begun, never);
  await isBegun;
  return { run };
}

describe('a workflow step session', () => {
  test('is a read-only child session with the given id and reports its usage', async () => {
    await using setup = await testSessions([
      { events: say('hello') },
      { events: [...call('c1', 'scrivi', { percorso: 'a.ts' }), used(50, 5), finish('tool-calls')] },
      { events: [...say('the '), ...say('end'), used(60, 6)] },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const begun: unknown[] = [];
    const report = await setup.sessions.workflowSteps.run(order(id), (model) => void begun.push(model), never);
    expect(begun).toEqual([setup.newSession().settings.model]);
    expect(report).toMatchObject({
      isRunning: false,
      outcome: 'finished',
      text: 'the end',
      promptTokens: 110,
      completionTokens: 11,
      modelRequests: 2,
      toolCalls: 1,
      costUsd: null,
    });
    expect(setup.written).toEqual([]);
    const row = await setup.sessions.read(order(id).sessionId);
    expect(row).toMatchObject({
      name: 'Look at it',
      header: { parentId: id, taskId: 'workflow:run-1:node-1', workflowStep: { runId: 'run-1', nodeId: 'node-1' } },
      settings: { permissions: 'Read only', mode: 'normal' },
    });
    const offered = setup.model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
    expect(offered).toContain('read');
    for (const name of ['scrivi', 'write', 'delega_sottotask', 'task', 'ask_user']) expect(offered).not.toContain(name);
    expect(setup.sessions.workflowSteps.report(order(id).sessionId)).toEqual(report);
  });

  test('stops at its limit of model calls', async () => {
    await using setup = await testSessions([
      { events: say('hello') },
      { events: call('c1', 'leggi', {}) },
      { events: call('c2', 'leggi', {}) },
      { events: say('too late') },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const report = await setup.sessions.workflowSteps.run(order(id, { maxModelCalls: 2 }), () => undefined, never);
    expect(report).toMatchObject({ outcome: 'steps-used-up', code: 'giri-esauriti' });
    expect(setup.model.requests).toHaveLength(3);
  });

  test('is stopped by its run, not by stopping its parent', async () => {
    let release: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    await using setup = await testSessions([
      { events: say('hello') },
      { events: say('at work'), hold },
      { events: [], hold: new Promise(() => undefined) },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const first = await begin(setup, order(id));
    await setup.seen(order(id).sessionId, 'TextMessageContent');
    await setup.sessions.turns.stop(id);
    release();
    expect(await first.run).toMatchObject({ outcome: 'finished', text: 'at work' });
    const stop = new AbortController();
    const second = order(id, { sessionId: '22222222-2222-4222-8222-222222222222' });
    const run = setup.sessions.workflowSteps.run(second, () => stop.abort('user'), stop.signal);
    expect(await run).toMatchObject({ outcome: 'stopped', code: 'fermato' });
  });

  test('reports to another process whether it ended, was interrupted or never started', async () => {
    await using setup = await testSessions([
      { events: say('hello') },
      { events: say('done') },
      { events: [], hold: new Promise(() => undefined) },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.workflowSteps.run(order(id), () => undefined, never);
    const cut = order(id, { sessionId: '33333333-3333-4333-8333-333333333333' });
    await begin(setup, cut);
    await setup.seen(cut.sessionId, 'RunStarted');
    expect(setup.sessions.workflowSteps.report(cut.sessionId)).toMatchObject({ isRunning: true, outcome: null });
    await using next = await setup.reopen();
    const { workflowSteps } = next.sessions;
    expect(workflowSteps.report(order(id).sessionId)).toMatchObject({ outcome: 'finished', text: 'done' });
    expect(workflowSteps.report(cut.sessionId)).toMatchObject({
      isRunning: false,
      outcome: 'interrupted',
      code: 'SESSION_INTERRUPTED',
    });
    expect(workflowSteps.report('44444444-4444-4444-8444-444444444444')).toBeUndefined();
  });
});

describe('the result of a workflow', () => {
  test('is delivered once with the next turn and starts none', async () => {
    await using setup = await testSessions([{ events: say('hello') }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const outcome = { id: 'run-1:9', value: { schema: 'svc.workflow-outcome.v1', status: 'succeeded' } };
    setup.sessions.workflowSteps.reportOutcome(id, outcome);
    setup.sessions.workflowSteps.reportOutcome(id, outcome);
    expect(setup.model.requests).toHaveLength(1);
    await setup.sessions.turns.resume(id, { message: 'And now?' });
    await setup.sessions.turns.settled(id);
    const sent = JSON.stringify(setup.model.requests.at(-1)?.messages.at(-1));
    expect(sent.match(/svc\.workflow-outcome\.v1/g)).toHaveLength(1);
    expect(sent).toContain('And now?');
    await setup.sessions.turns.resume(id, { message: 'And then?' });
    await setup.sessions.turns.settled(id);
    expect(JSON.stringify(setup.model.requests.at(-1)?.messages.at(-1))).not.toContain('workflow-outcome');
    expect(() => setup.sessions.workflowSteps.reportOutcome('nobody', outcome)).toThrow('NOT_FOUND');
  });
});
