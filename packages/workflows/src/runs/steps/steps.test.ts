import { describe, expect, test } from '@jest/globals';
import { edgeWith, headWith, nodeWith, stepChain, unboundedBudgets } from '../../../test/cores.ts';
import { runFixture } from '../../../test/run-fixture.ts';
import type { WorkflowNode } from '../../definition/core.ts';

const oneStep = (changes: Partial<WorkflowNode> = {}, budgets = {}) => ({
  ...headWith({ budgets: { ...unboundedBudgets, ...budgets } }),
  nodes: [nodeWith('a', changes)],
  edges: [],
});

describe('failed steps', () => {
  test('retry a transient failure with a growing random delay up to the limit', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => ({ errorClass: 'timeout' }));
    const { runId } = await fixture.started(oneStep());
    expect(fixture.states(runId)).toEqual({ a: 'retry_wait' });
    await fixture.ambient.advance(400);
    await fixture.runs.settled();
    expect(fixture.steps.orders).toHaveLength(1);
    await fixture.ambient.advance(700);
    await fixture.runs.settled();
    expect(fixture.steps.orders.map(({ attempt }) => attempt)).toEqual([1, 2]);
    await fixture.ambient.advance(2_100);
    await fixture.runs.settled();
    expect(fixture.steps.orders).toHaveLength(3);
    expect(fixture.states(runId)).toEqual({ a: 'failed' });
    expect(fixture.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'node_failed', attention: 1 });
    expect(fixture.budget(runId, 'retryPromptTokens')).toEqual({ reserved: 0, used: 200 });
    expect(fixture.budget(runId, 'promptTokens')).toEqual({ reserved: 0, used: 300 });
  });

  test('wait as long as the provider asks', async () => {
    await using fixture = await runFixture();
    let isLimited = true;
    fixture.steps.script(() => (isLimited ? { errorClass: 'rate_limit', retryAfterMs: 20_000 } : { text: 'ok' }));
    const { runId } = await fixture.started(oneStep());
    isLimited = false;
    await fixture.ambient.advance(19_900);
    await fixture.runs.settled();
    expect(fixture.states(runId)).toEqual({ a: 'retry_wait' });
    await fixture.ambient.advance(200);
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('succeeded');
  });

  test.each([
    ['a class its policy does not name', {}, 'provider_refused'],
    [
      'at most once',
      { activityPolicy: { effectClass: 'reconcilable', retryMode: 'at-most-once', maxAttempts: 9, deadlineMs: null } },
      'timeout',
    ],
    ['its own budget of attempts', { budget: { ...unboundedBudgets, attempts: 1 } }, 'timeout'],
  ] as const)('%s is not retried', async (_why, changes, errorClass) => {
    await using fixture = await runFixture();
    fixture.steps.script(() => ({ errorClass }));
    const { runId } = await fixture.started(oneStep(changes as Partial<WorkflowNode>));
    expect(fixture.states(runId)).toEqual({ a: 'failed' });
    expect(fixture.steps.orders).toHaveLength(1);
  });

  test('block their dependents while the rest continues', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(({ nodeId }) => (nodeId === 'a' ? { errorClass: 'internal' } : { text: nodeId }));
    const core = {
      ...headWith(),
      nodes: ['start', 'a', 'b', 'after-a', 'after-b'].map((id) => nodeWith(id)),
      edges: [edgeWith('start', 'a'), edgeWith('start', 'b'), edgeWith('a', 'after-a'), edgeWith('b', 'after-b')],
    };
    const { runId } = await fixture.started(core);
    expect(fixture.states(runId)).toEqual({
      start: 'succeeded',
      a: 'failed',
      b: 'succeeded',
      'after-a': 'blocked',
      'after-b': 'succeeded',
    });
    expect(fixture.row(runId).reason).toBe('node_failed');
  });

  test('time out at their deadline', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const policy = {
      effectClass: 'reconcilable',
      retryMode: 'at-least-once',
      maxAttempts: 1,
      deadlineMs: 5_000,
    } as const;
    const { runId } = await fixture.started(oneStep({ activityPolicy: policy }));
    expect(fixture.states(runId)).toEqual({ a: 'running' });
    await fixture.ambient.advance(5_100);
    await fixture.runs.settled();
    expect(fixture.steps.stopped).toEqual(['a']);
    expect(fixture.facts(runId).find(({ type }) => type === 'node_failed')?.payload).toMatchObject({
      errorClass: 'timeout',
    });
  });

  test('count a session that could not be created as a failure', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'refuse');
    const { runId } = await fixture.started(oneStep());
    expect(fixture.states(runId)).toEqual({ a: 'failed' });
    expect(fixture.row(runId).status).toBe('needs_attention');
  });
});

describe('the circuit breaker of a provider', () => {
  const wide = (count: number) => ({
    ...headWith(),
    nodes: [nodeWith('start'), ...Array.from({ length: count }, (_, at) => nodeWith(`s${at}`))],
    edges: Array.from({ length: count }, (_, at) => edgeWith('start', `s${at}`)),
  });

  test('opens after five failures, lets one call through, and closes on success', async () => {
    await using fixture = await runFixture({ concurrency: { total: 2, perProvider: 2 } });
    let isDown = true;
    fixture.steps.script(({ nodeId }) =>
      nodeId === 'start' || !isDown ? { text: 'ok' } : { errorClass: 'provider_5xx' },
    );
    const { runId } = await fixture.started(wide(12));
    const begun = fixture.steps.orders.length;
    expect(begun).toBeLessThan(9);
    expect(fixture.types(runId)).toContain('circuit_opened');
    isDown = false;
    await fixture.ambient.advance(29_000);
    await fixture.runs.settled();
    expect(fixture.steps.orders).toHaveLength(begun);
    await fixture.ambient.advance(31_000);
    await fixture.runs.settled();
    expect(fixture.types(runId).filter((type) => type.startsWith('circuit_'))).toEqual([
      'circuit_opened',
      'circuit_half_open',
      'circuit_closed',
    ]);
    expect(fixture.steps.orders).toHaveLength(13);
  });

  test('lowers parallelism for a rate-limited provider', async () => {
    await using fixture = await runFixture({ concurrency: { total: 8, perProvider: 4 } });
    fixture.steps.script(({ nodeId }) =>
      nodeId === 'start'
        ? { text: 'ok' }
        : nodeId === 's0'
          ? { errorClass: 'rate_limit', retryAfterMs: 60_000 }
          : 'hold',
    );
    const { runId } = await fixture.started(wide(12));
    expect(fixture.facts(runId).find(({ type }) => type === 'provider_limit_changed')?.payload).toEqual({
      provider: 'ollama',
      from: 4,
      to: 2,
    });
    expect(Object.values(fixture.states(runId)).filter((state) => state === 'running')).toHaveLength(3);
  });
});

describe('budgets', () => {
  test('are reserved before a step and released after it', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const core = oneStep(
      { budget: { ...unboundedBudgets, promptTokens: 500, modelRequests: 4, attempts: null } },
      { promptTokens: 600 },
    );
    const { runId } = await fixture.started(core);
    expect(fixture.budget(runId, 'promptTokens')).toEqual({ reserved: 500, used: 0 });
    expect(fixture.budget(runId, 'modelRequests')).toEqual({ reserved: 4, used: 0 });
    expect(fixture.steps.orders[0]?.maxModelCalls).toBe(4);
    fixture.steps.release('a');
    await fixture.runs.settled();
    expect(fixture.budget(runId, 'promptTokens')).toEqual({ reserved: 0, used: 100 });
    expect(fixture.budget(runId, 'toolCalls')).toEqual({ reserved: 0, used: 1 });
    expect(fixture.budget(runId, 'knownCostUsd')).toEqual({ reserved: 0, used: 0.01 });
    expect(fixture.row(runId).status).toBe('succeeded');
  });

  test('pause the run with a reason when the next step is not covered', async () => {
    await using fixture = await runFixture();
    const core = { ...stepChain('a', 'b', 'c'), budgets: { ...unboundedBudgets, promptTokens: 200 } };
    const { runId } = await fixture.started(core);
    expect(fixture.states(runId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'ready' });
    expect(fixture.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'budget_overrun' });
  });

  test('released by one step are available to the next at once', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const budget = { ...unboundedBudgets, promptTokens: 500, attempts: null };
    const core = {
      ...headWith({ budgets: { ...unboundedBudgets, promptTokens: 700 } }),
      nodes: ['a', 'b', 'c'].map((id) => nodeWith(id, { budget })),
      edges: [],
    };
    const { runId } = await fixture.started(core);
    expect(fixture.states(runId)).toEqual({ a: 'running', b: 'ready', c: 'ready' });
    fixture.steps.release('a');
    await fixture.runs.settled();
    expect(fixture.states(runId)).toEqual({ a: 'succeeded', b: 'running', c: 'ready' });
    fixture.steps.release('b');
    await fixture.runs.settled();
    fixture.steps.release('c');
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('succeeded');
  });

  test('record a step that exceeded its budget', async () => {
    await using fixture = await runFixture();
    const core = { ...stepChain('a', 'b'), budgets: { ...unboundedBudgets, promptTokens: 50 } };
    const { runId } = await fixture.started(core);
    expect(fixture.facts(runId).find(({ type }) => type === 'budget_overrun_observed')?.payload).toEqual({
      name: 'promptTokens',
      bound: 50,
      used: 100,
    });
    expect(fixture.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'budget_overrun' });
  });

  test('limit a step’s deadline to the remaining run time', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(oneStep({}, { wallMs: 8_000 }));
    await fixture.ambient.advance(8_100);
    await fixture.runs.settled();
    expect(fixture.steps.stopped).toEqual(['a']);
    expect(fixture.row(runId).status).not.toBe('succeeded');
  });
});

describe('parallel steps', () => {
  test('share the limit fairly between runs', async () => {
    await using fixture = await runFixture({ concurrency: { total: 4, perProvider: 4 } });
    fixture.steps.script(() => 'hold');
    const wide = (name: string) => ({
      ...headWith({ title: name }),
      nodes: Array.from({ length: 20 }, (_, at) => nodeWith(`${name}${at}`)),
      edges: [],
    });
    await fixture.started(wide('x'));
    await fixture.started(wide('y'));
    expect(fixture.steps.orders).toHaveLength(4);
    for (let round = 0; round < 8; round += 1) {
      const next = fixture.steps.orders.find(({ nodeId }) => fixture.steps.isOpen(nodeId));
      fixture.steps.release(next?.nodeId ?? '');
      await fixture.runs.settled();
    }
    const begun = fixture.steps.orders.slice(4).map(({ nodeId }) => nodeId[0]);
    expect(begun.filter((name) => name === 'y')).toHaveLength(4);
    expect(fixture.steps.orders).toHaveLength(12);
  });

  test('start by priority', async () => {
    await using fixture = await runFixture({ concurrency: { total: 1, perProvider: 1 } });
    const core = {
      ...headWith(),
      nodes: [nodeWith('low', { priority: -5 }), nodeWith('high', { priority: 7 }), nodeWith('middle')],
      edges: [],
    };
    await fixture.started(core);
    expect(fixture.steps.orders.map(({ nodeId }) => nodeId)).toEqual(['high', 'middle', 'low']);
  });
});
