import { describe, expect, test } from '@jest/globals';
import { chain, edgeWith, headWith, nodeWith, unbounded } from '../../../test/cores.ts';
import { runGround } from '../../../test/run-ground.ts';
import type { WorkflowNode } from '../../definition/core.ts';

const oneStep = (changes: Partial<WorkflowNode> = {}, budgets = {}) => ({
  ...headWith({ budgets: { ...unbounded, ...budgets } }),
  nodes: [nodeWith('a', changes)],
  edges: [],
});

describe('steps that fail', () => {
  test('a failure that may pass is tried again after a growing, scattered wait, up to its attempts', async () => {
    await using ground = await runGround();
    ground.steps.script(() => ({ errorClass: 'timeout' }));
    const { runId } = await ground.started(oneStep());
    expect(ground.states(runId)).toEqual({ a: 'retry_wait' });
    await ground.ambient.advance(400);
    await ground.runs.settled();
    expect(ground.steps.orders).toHaveLength(1);
    await ground.ambient.advance(700);
    await ground.runs.settled();
    expect(ground.steps.orders.map(({ attempt }) => attempt)).toEqual([1, 2]);
    await ground.ambient.advance(2_100);
    await ground.runs.settled();
    expect(ground.steps.orders).toHaveLength(3);
    expect(ground.states(runId)).toEqual({ a: 'failed' });
    expect(ground.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'node_failed', attention: 1 });
    expect(ground.budget(runId, 'retryPromptTokens')).toEqual({ reserved: 0, used: 200 });
    expect(ground.budget(runId, 'promptTokens')).toEqual({ reserved: 0, used: 300 });
  });

  test('what the provider asks to wait is waited for', async () => {
    await using ground = await runGround();
    let isLimited = true;
    ground.steps.script(() => (isLimited ? { errorClass: 'rate_limit', retryAfterMs: 20_000 } : { text: 'ok' }));
    const { runId } = await ground.started(oneStep());
    isLimited = false;
    await ground.ambient.advance(19_900);
    await ground.runs.settled();
    expect(ground.states(runId)).toEqual({ a: 'retry_wait' });
    await ground.ambient.advance(200);
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('succeeded');
  });

  test.each([
    ['a class its policy does not name', {}, 'provider_refused'],
    [
      'at most once',
      { activityPolicy: { effectClass: 'reconcilable', retryMode: 'at-most-once', maxAttempts: 9, deadlineMs: null } },
      'timeout',
    ],
    ['its own budget of attempts', { budget: { ...unbounded, attempts: 1 } }, 'timeout'],
  ] as const)('%s is not tried again', async (_why, changes, errorClass) => {
    await using ground = await runGround();
    ground.steps.script(() => ({ errorClass }));
    const { runId } = await ground.started(oneStep(changes as Partial<WorkflowNode>));
    expect(ground.states(runId)).toEqual({ a: 'failed' });
    expect(ground.steps.orders).toHaveLength(1);
  });

  test('what waits for a failed step stays blocked while the rest goes on', async () => {
    await using ground = await runGround();
    ground.steps.script(({ nodeId }) => (nodeId === 'a' ? { errorClass: 'internal' } : { text: nodeId }));
    const core = {
      ...headWith(),
      nodes: ['start', 'a', 'b', 'after-a', 'after-b'].map((id) => nodeWith(id)),
      edges: [edgeWith('start', 'a'), edgeWith('start', 'b'), edgeWith('a', 'after-a'), edgeWith('b', 'after-b')],
    };
    const { runId } = await ground.started(core);
    expect(ground.states(runId)).toEqual({
      start: 'succeeded',
      a: 'failed',
      b: 'succeeded',
      'after-a': 'blocked',
      'after-b': 'succeeded',
    });
    expect(ground.row(runId).reason).toBe('node_failed');
  });

  test('a step that takes longer than its deadline is stopped and counts as timed out', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const policy = {
      effectClass: 'reconcilable',
      retryMode: 'at-least-once',
      maxAttempts: 1,
      deadlineMs: 5_000,
    } as const;
    const { runId } = await ground.started(oneStep({ activityPolicy: policy }));
    expect(ground.states(runId)).toEqual({ a: 'running' });
    await ground.ambient.advance(5_100);
    await ground.runs.settled();
    expect(ground.steps.stopped).toEqual(['a']);
    expect(ground.facts(runId).find(({ type }) => type === 'node_failed')?.payload).toMatchObject({
      errorClass: 'timeout',
    });
  });

  test('a session that could not be made is a failure of the step', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'refuse');
    const { runId } = await ground.started(oneStep());
    expect(ground.states(runId)).toEqual({ a: 'failed' });
    expect(ground.row(runId).status).toBe('needs_attention');
  });
});

describe('the circuit of a provider', () => {
  const wide = (count: number) => ({
    ...headWith(),
    nodes: [nodeWith('start'), ...Array.from({ length: count }, (_, at) => nodeWith(`s${at}`))],
    edges: Array.from({ length: count }, (_, at) => edgeWith('start', `s${at}`)),
  });

  test('opens after five failures in a row, lets one through, and closes when that goes well', async () => {
    await using ground = await runGround({ concurrency: { total: 2, perProvider: 2 } });
    let isDown = true;
    ground.steps.script(({ nodeId }) =>
      nodeId === 'start' || !isDown ? { text: 'ok' } : { errorClass: 'provider_5xx' },
    );
    const { runId } = await ground.started(wide(12));
    const begun = ground.steps.orders.length;
    expect(begun).toBeLessThan(9);
    expect(ground.types(runId)).toContain('circuit_opened');
    isDown = false;
    await ground.ambient.advance(29_000);
    await ground.runs.settled();
    expect(ground.steps.orders).toHaveLength(begun);
    await ground.ambient.advance(31_000);
    await ground.runs.settled();
    expect(ground.types(runId).filter((type) => type.startsWith('circuit_'))).toEqual([
      'circuit_opened',
      'circuit_half_open',
      'circuit_closed',
    ]);
    expect(ground.steps.orders).toHaveLength(13);
  });

  test('a provider that is asked too often gets fewer steps at once', async () => {
    await using ground = await runGround({ concurrency: { total: 8, perProvider: 4 } });
    ground.steps.script(({ nodeId }) =>
      nodeId === 'start'
        ? { text: 'ok' }
        : nodeId === 's0'
          ? { errorClass: 'rate_limit', retryAfterMs: 60_000 }
          : 'hold',
    );
    const { runId } = await ground.started(wide(12));
    expect(ground.facts(runId).find(({ type }) => type === 'provider_limit_changed')?.payload).toEqual({
      provider: 'ollama',
      from: 4,
      to: 2,
    });
    expect(Object.values(ground.states(runId)).filter((state) => state === 'running')).toHaveLength(3);
  });
});

describe('budgets', () => {
  test('what a step may use is set aside before it begins and given back when it ended', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const core = oneStep(
      { budget: { ...unbounded, promptTokens: 500, modelRequests: 4, attempts: null } },
      { promptTokens: 600 },
    );
    const { runId } = await ground.started(core);
    expect(ground.budget(runId, 'promptTokens')).toEqual({ reserved: 500, used: 0 });
    expect(ground.budget(runId, 'modelRequests')).toEqual({ reserved: 4, used: 0 });
    expect(ground.steps.orders[0]?.maxModelCalls).toBe(4);
    ground.steps.release('a');
    await ground.runs.settled();
    expect(ground.budget(runId, 'promptTokens')).toEqual({ reserved: 0, used: 100 });
    expect(ground.budget(runId, 'toolCalls')).toEqual({ reserved: 0, used: 1 });
    expect(ground.budget(runId, 'knownCostUsd')).toEqual({ reserved: 0, used: 0.01 });
    expect(ground.row(runId).status).toBe('succeeded');
  });

  test('no step begins that the budget cannot cover: the run rests and says why', async () => {
    await using ground = await runGround();
    const core = { ...chain('a', 'b', 'c'), budgets: { ...unbounded, promptTokens: 200 } };
    const { runId } = await ground.started(core);
    expect(ground.states(runId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'ready' });
    expect(ground.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'budget_overrun' });
  });

  test('what a step gives back is there for the next at once', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const budget = { ...unbounded, promptTokens: 500, attempts: null };
    const core = {
      ...headWith({ budgets: { ...unbounded, promptTokens: 700 } }),
      nodes: ['a', 'b', 'c'].map((id) => nodeWith(id, { budget })),
      edges: [],
    };
    const { runId } = await ground.started(core);
    expect(ground.states(runId)).toEqual({ a: 'running', b: 'ready', c: 'ready' });
    ground.steps.release('a');
    await ground.runs.settled();
    expect(ground.states(runId)).toEqual({ a: 'succeeded', b: 'running', c: 'ready' });
    ground.steps.release('b');
    await ground.runs.settled();
    ground.steps.release('c');
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('succeeded');
  });

  test('a step that went beyond the budget is seen', async () => {
    await using ground = await runGround();
    const core = { ...chain('a', 'b'), budgets: { ...unbounded, promptTokens: 50 } };
    const { runId } = await ground.started(core);
    expect(ground.facts(runId).find(({ type }) => type === 'budget_overrun_observed')?.payload).toEqual({
      name: 'promptTokens',
      bound: 50,
      used: 100,
    });
    expect(ground.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'budget_overrun' });
  });

  test('the time a run has left is the deadline of its step', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(oneStep({}, { wallMs: 8_000 }));
    await ground.ambient.advance(8_100);
    await ground.runs.settled();
    expect(ground.steps.stopped).toEqual(['a']);
    expect(ground.row(runId).status).not.toBe('succeeded');
  });
});

describe('room for steps', () => {
  test('runs take turns, and no more steps run than there is room for', async () => {
    await using ground = await runGround({ concurrency: { total: 4, perProvider: 4 } });
    ground.steps.script(() => 'hold');
    const wide = (name: string) => ({
      ...headWith({ title: name }),
      nodes: Array.from({ length: 20 }, (_, at) => nodeWith(`${name}${at}`)),
      edges: [],
    });
    await ground.started(wide('x'));
    await ground.started(wide('y'));
    expect(ground.steps.orders).toHaveLength(4);
    for (let round = 0; round < 8; round += 1) {
      const next = ground.steps.orders.find(({ nodeId }) => ground.steps.isOpen(nodeId));
      ground.steps.release(next?.nodeId ?? '');
      await ground.runs.settled();
    }
    const begun = ground.steps.orders.slice(4).map(({ nodeId }) => nodeId[0]);
    expect(begun.filter((name) => name === 'y')).toHaveLength(4);
    expect(ground.steps.orders).toHaveLength(12);
  });

  test('the most urgent ready step goes first', async () => {
    await using ground = await runGround({ concurrency: { total: 1, perProvider: 1 } });
    const core = {
      ...headWith(),
      nodes: [nodeWith('low', { priority: -5 }), nodeWith('high', { priority: 7 }), nodeWith('middle')],
      edges: [],
    };
    await ground.started(core);
    expect(ground.steps.orders.map(({ nodeId }) => nodeId)).toEqual(['high', 'middle', 'low']);
  });
});
