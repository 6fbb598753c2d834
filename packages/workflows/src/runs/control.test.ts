import { describe, expect, test } from '@jest/globals';
import { chain, edgeWith, headWith, nodeWith } from '../../test/cores.ts';
import { ROOT, type RunGround, runGround } from '../../test/run-ground.ts';

const asked = (ground: RunGround, runId: string) => ({ sessionId: ROOT, runId, commandId: ground.commandId() });

describe('pausing', () => {
  test('lets steps in flight finish, begins none, and goes on when told to', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(chain('a', 'b'));
    await ground.runs.pause(asked(ground, runId));
    await ground.runs.settled();
    expect(ground.row(runId)).toMatchObject({ status: 'running', isPauseRequested: true });
    ground.steps.release('a');
    await ground.runs.settled();
    expect(ground.row(runId)).toMatchObject({ status: 'paused', isPauseRequested: false });
    expect(ground.states(runId)).toEqual({ a: 'succeeded', b: 'ready' });
    expect(ground.steps.orders).toHaveLength(1);
    await ground.runs.resume(asked(ground, runId));
    await ground.runs.settled();
    ground.steps.release('b');
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('succeeded');
    expect(ground.types(runId)).toEqual(expect.arrayContaining(['run_pause_requested', 'run_paused', 'run_resumed']));
  });

  test('a retry that comes due waits until the run goes on', async () => {
    await using ground = await runGround();
    ground.steps.script(() => ({ errorClass: 'timeout' }));
    const { runId } = await ground.started(chain('a'));
    await ground.runs.pause(asked(ground, runId));
    await ground.ambient.advance(10_000);
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('paused');
    expect(ground.steps.orders).toHaveLength(1);
    ground.steps.script(() => ({ text: 'ok' }));
    await ground.runs.resume(asked(ground, runId));
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('succeeded');
  });
});

describe('cancelling', () => {
  test('stops the agents, and settles when they have ended', async () => {
    await using ground = await runGround();
    ground.steps.script(({ nodeId }) => (nodeId === 'a' ? { text: 'ok' } : 'hold'));
    const core = {
      ...headWith(),
      nodes: ['a', 'b', 'c', 'd'].map((id) => nodeWith(id)),
      edges: [edgeWith('a', 'b'), edgeWith('a', 'c'), edgeWith('b', 'd')],
    };
    const { runId } = await ground.started(core);
    await ground.runs.cancel(asked(ground, runId));
    await ground.runs.settled();
    expect(ground.steps.stopped.sort()).toEqual(['b', 'c']);
    expect(ground.states(runId)).toEqual({ a: 'succeeded', b: 'cancelled', c: 'cancelled', d: 'cancelled' });
    expect(ground.row(runId)).toMatchObject({ status: 'cancelled', terminated: 4 });
    expect(ground.budget(runId, 'modelRequests').reserved).toBe(0);
    expect(ground.types(runId).at(-1)).toBe('run_cancelled');
    await expect(ground.runs.cancel(asked(ground, runId))).rejects.toMatchObject({
      code: 'WORKFLOW_RUN_STATE_CONFLICT',
      reason: 'cancel-requested',
    });
  });

  test('a paused run and one that needs attention end at once', async () => {
    await using ground = await runGround();
    ground.steps.script(() => ({ errorClass: 'internal' }));
    const { runId } = await ground.started(chain('a', 'b'));
    expect(ground.row(runId).status).toBe('needs_attention');
    await ground.runs.cancel(asked(ground, runId));
    await ground.runs.settled();
    expect(ground.row(runId)).toMatchObject({ status: 'cancelled', attention: 1 });
    expect(ground.states(runId)).toEqual({ a: 'failed', b: 'cancelled' });
    expect(ground.outcomes.map(({ status }) => status)).toEqual(['needs_attention', 'cancelled']);
  });
});

describe('a retry the person asks for', () => {
  test('redoes the failed steps and what waits for them, attempts from zero, and keeps the rest', async () => {
    await using ground = await runGround();
    let isBroken = true;
    ground.steps.script(({ nodeId }) => (nodeId === 'b' && isBroken ? { errorClass: 'timeout' } : { text: nodeId }));
    const { runId } = await ground.started(chain('a', 'b', 'c', 'd'));
    for (const ms of [1_100, 2_100]) {
      await ground.ambient.advance(ms);
      await ground.runs.settled();
    }
    expect(ground.runs.retryPreview({ sessionId: ROOT, runId })).toEqual({
      runId,
      failed: [{ nodeId: 'b', label: 'Step b', errorClass: 'timeout', attempt: 3 }],
      dependents: ['c', 'd'],
      kept: 1,
    });
    isBroken = false;
    await ground.runs.retry(asked(ground, runId));
    await ground.runs.settled();
    expect(ground.row(runId)).toMatchObject({ status: 'succeeded', terminated: 4, attention: 0, reason: null });
    expect(ground.steps.orders.map(({ nodeId, attempt }) => `${nodeId}${attempt}`)).toEqual([
      'a1',
      'b1',
      'b2',
      'b3',
      'b1',
      'c1',
      'd1',
    ]);
    expect(ground.facts(runId).find(({ payload }) => payload.reason === 'user_retry')).toMatchObject({
      type: 'retry_scheduled',
      commandType: 'retry-node',
      payload: { reason: 'user_retry', backoffMs: 0 },
    });
  });
});

describe('every command', () => {
  test('is done once, however often it comes', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(chain('a'));
    const order = asked(ground, runId);
    const first = await ground.runs.pause(order);
    const again = await ground.runs.pause(order);
    expect(again).toEqual({ ...first, isReplay: true });
    expect(ground.types(runId).filter((type) => type === 'run_pause_requested')).toHaveLength(1);
    await expect(ground.runs.cancel(order)).rejects.toThrow('WORKFLOW_COMMAND_CONFLICT');
    await expect(ground.runs.pause(asked(ground, runId))).rejects.toMatchObject({ reason: 'pause-requested' });
    await expect(ground.runs.resume(asked(ground, runId))).rejects.toMatchObject({
      code: 'WORKFLOW_RUN_STATE_CONFLICT',
      reason: 'resume-not-in-running',
      params: { stato: 'running', azioni: 'cancel' },
    });
  });

  test('is refused for a run of another session', async () => {
    await using ground = await runGround();
    const { runId } = await ground.started(chain('a'));
    const order = { ...asked(ground, runId), sessionId: 'other' };
    await expect(ground.runs.cancel(order)).rejects.toThrow('NOT_FOUND');
    expect(() => ground.runs.retryPreview(order)).toThrow('NOT_FOUND');
  });

  test('a session with an unfinished run says so', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(chain('a'));
    expect(() => ground.runs.assertFinished(ROOT)).toThrow('WORKFLOW_RUN_NOT_FINISHED');
    ground.runs.assertFinished('other');
    ground.steps.release('a');
    await ground.runs.settled();
    ground.runs.assertFinished(ROOT);
    expect(ground.runs.ofSession(ROOT)).toEqual([runId]);
  });

  test('those that begin new work are refused while the server ends; what is in flight is left to the next', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(chain('a', 'b'));
    const closing = ground.runs[Symbol.asyncDispose]();
    await expect(ground.runs.resume(asked(ground, runId))).rejects.toThrow('SERVER_SHUTTING_DOWN');
    await closing;
    expect(ground.states(runId)).toEqual({ a: 'running', b: 'blocked' });
    ground.restart();
    await ground.runs.settled();
    ground.steps.release('a');
    await ground.runs.settled();
    expect(ground.steps.orders.map(({ nodeId, attempt }) => `${nodeId}${attempt}`)).toEqual(['a1', 'a2', 'b1']);
  });
});
