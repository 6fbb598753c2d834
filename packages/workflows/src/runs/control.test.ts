import { describe, expect, test } from '@jest/globals';
import { edgeWith, headWith, nodeWith, stepChain } from '../../test/cores.ts';
import { ROOT, type RunFixture, runFixture } from '../../test/run-fixture.ts';

const asked = (fixture: RunFixture, runId: string) => ({ sessionId: ROOT, runId, commandId: fixture.commandId() });

describe('pausing a run', () => {
  test('finishes running steps, starts none, and continues on resume', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a', 'b'));
    await fixture.runs.pause(asked(fixture, runId));
    await fixture.runs.settled();
    expect(fixture.row(runId)).toMatchObject({ status: 'running', isPauseRequested: true });
    fixture.steps.release('a');
    await fixture.runs.settled();
    expect(fixture.row(runId)).toMatchObject({ status: 'paused', isPauseRequested: false });
    expect(fixture.states(runId)).toEqual({ a: 'succeeded', b: 'ready' });
    expect(fixture.steps.orders).toHaveLength(1);
    await fixture.runs.resume(asked(fixture, runId));
    await fixture.runs.settled();
    fixture.steps.release('b');
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('succeeded');
    expect(fixture.types(runId)).toEqual(expect.arrayContaining(['run_pause_requested', 'run_paused', 'run_resumed']));
  });

  test('postpones a due retry until the run resumes', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => ({ errorClass: 'timeout' }));
    const { runId } = await fixture.started(stepChain('a'));
    await fixture.runs.pause(asked(fixture, runId));
    await fixture.ambient.advance(10_000);
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('paused');
    expect(fixture.steps.orders).toHaveLength(1);
    fixture.steps.script(() => ({ text: 'ok' }));
    await fixture.runs.resume(asked(fixture, runId));
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('succeeded');
  });
});

describe('cancelling a run', () => {
  test('stops the agents and completes when they have ended', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(({ nodeId }) => (nodeId === 'a' ? { text: 'ok' } : 'hold'));
    const core = {
      ...headWith(),
      nodes: ['a', 'b', 'c', 'd'].map((id) => nodeWith(id)),
      edges: [edgeWith('a', 'b'), edgeWith('a', 'c'), edgeWith('b', 'd')],
    };
    const { runId } = await fixture.started(core);
    await fixture.runs.cancel(asked(fixture, runId));
    await fixture.runs.settled();
    expect(fixture.steps.stopped.sort()).toEqual(['b', 'c']);
    expect(fixture.states(runId)).toEqual({ a: 'succeeded', b: 'cancelled', c: 'cancelled', d: 'cancelled' });
    expect(fixture.row(runId)).toMatchObject({ status: 'cancelled', terminated: 4 });
    expect(fixture.budget(runId, 'modelRequests').reserved).toBe(0);
    expect(fixture.types(runId).at(-1)).toBe('run_cancelled');
    await expect(fixture.runs.cancel(asked(fixture, runId))).rejects.toMatchObject({
      code: 'WORKFLOW_RUN_STATE_CONFLICT',
      reason: 'cancel-requested',
    });
  });

  test('completes at once for a paused run and one that needs attention', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => ({ errorClass: 'internal' }));
    const { runId } = await fixture.started(stepChain('a', 'b'));
    expect(fixture.row(runId).status).toBe('needs_attention');
    await fixture.runs.cancel(asked(fixture, runId));
    await fixture.runs.settled();
    expect(fixture.row(runId)).toMatchObject({ status: 'cancelled', attention: 1 });
    expect(fixture.states(runId)).toEqual({ a: 'failed', b: 'cancelled' });
    expect(fixture.outcomes.map(({ status }) => status)).toEqual(['needs_attention', 'cancelled']);
  });
});

describe('retrying a run', () => {
  test('repeats failed steps and their dependents with fresh attempts and keeps the rest', async () => {
    await using fixture = await runFixture();
    let isBroken = true;
    fixture.steps.script(({ nodeId }) => (nodeId === 'b' && isBroken ? { errorClass: 'timeout' } : { text: nodeId }));
    const { runId } = await fixture.started(stepChain('a', 'b', 'c', 'd'));
    for (const ms of [1_100, 2_100]) {
      await fixture.ambient.advance(ms);
      await fixture.runs.settled();
    }
    expect(fixture.runs.retryPreview({ sessionId: ROOT, runId })).toEqual({
      runId,
      failed: [{ nodeId: 'b', label: 'Step b', errorClass: 'timeout', attempt: 3 }],
      dependents: ['c', 'd'],
      kept: 1,
    });
    isBroken = false;
    await fixture.runs.retry(asked(fixture, runId));
    await fixture.runs.settled();
    expect(fixture.row(runId)).toMatchObject({ status: 'succeeded', terminated: 4, attention: 0, reason: null });
    expect(fixture.steps.orders.map(({ nodeId, attempt }) => `${nodeId}${attempt}`)).toEqual([
      'a1',
      'b1',
      'b2',
      'b3',
      'b1',
      'c1',
      'd1',
    ]);
    expect(fixture.facts(runId).find(({ payload }) => payload.reason === 'user_retry')).toMatchObject({
      type: 'retry_scheduled',
      commandType: 'retry-node',
      payload: { reason: 'user_retry', backoffMs: 0 },
    });
  });
});

describe('run commands', () => {
  test('are idempotent', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a'));
    const order = asked(fixture, runId);
    const first = await fixture.runs.pause(order);
    const again = await fixture.runs.pause(order);
    expect(again).toEqual({ ...first, isReplay: true });
    expect(fixture.types(runId).filter((type) => type === 'run_pause_requested')).toHaveLength(1);
    await expect(fixture.runs.cancel(order)).rejects.toThrow('WORKFLOW_COMMAND_CONFLICT');
    await expect(fixture.runs.pause(asked(fixture, runId))).rejects.toMatchObject({ reason: 'pause-requested' });
    await expect(fixture.runs.resume(asked(fixture, runId))).rejects.toMatchObject({
      code: 'WORKFLOW_RUN_STATE_CONFLICT',
      reason: 'resume-not-in-running',
      params: { stato: 'running', azioni: 'cancel' },
    });
  });

  test('are refused for a run of another session', async () => {
    await using fixture = await runFixture();
    const { runId } = await fixture.started(stepChain('a'));
    const order = { ...asked(fixture, runId), sessionId: 'other' };
    await expect(fixture.runs.cancel(order)).rejects.toThrow('NOT_FOUND');
    expect(() => fixture.runs.retryPreview(order)).toThrow('NOT_FOUND');
  });

  test('report a session with an unfinished run', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a'));
    expect(() => fixture.runs.assertFinished(ROOT)).toThrow('WORKFLOW_RUN_NOT_FINISHED');
    fixture.runs.assertFinished('other');
    fixture.steps.release('a');
    await fixture.runs.settled();
    fixture.runs.assertFinished(ROOT);
    expect(fixture.runs.ofSession(ROOT)).toEqual([runId]);
  });

  test('that start work are refused during shutdown, and running steps are left to the next process', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a', 'b'));
    const closing = fixture.runs[Symbol.asyncDispose]();
    await expect(fixture.runs.resume(asked(fixture, runId))).rejects.toThrow('SERVER_SHUTTING_DOWN');
    await closing;
    expect(fixture.states(runId)).toEqual({ a: 'running', b: 'blocked' });
    fixture.restart();
    await fixture.runs.settled();
    fixture.steps.release('a');
    await fixture.runs.settled();
    expect(fixture.steps.orders.map(({ nodeId, attempt }) => `${nodeId}${attempt}`)).toEqual(['a1', 'a2', 'b1']);
  });
});
