import { describe, expect, test } from '@jest/globals';
import { edgeWith, headWith, nodeWith, stepChain, unboundedBudgets } from '../../../test/cores.ts';
import { ROOT, type RunFixture, runFixture } from '../../../test/run-fixture.ts';
import type { FaultMoment } from '../needs.ts';

const MOMENTS: readonly FaultMoment[] = ['before-write', 'before-commit', 'after-commit'];

const diamond = {
  ...headWith({ budgets: { ...unboundedBudgets, modelRequests: 50, promptTokens: 5_000 } }),
  nodes: ['a', 'b', 'c', 'd'].map((id) => nodeWith(id)),
  edges: [edgeWith('a', 'b'), edgeWith('a', 'c'), edgeWith('b', 'd'), edgeWith('c', 'd')],
};

/** Advances time until nothing is left to do. */
async function toTheEnd(fixture: RunFixture): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await fixture.runs.settled();
    await fixture.ambient.advance(2_500);
  }
  await fixture.runs.settled();
}

describe('a crashed process', () => {
  test.each(MOMENTS)('%s of any write: repeats no finished step, loses none and leaks no budget', async (moment) => {
    for (let nth = 1; ; nth += 1) {
      let left = nth;
      let isDead = false;
      await using fixture = await runFixture({
        fault(now) {
          if (isDead) throw new Error('dead');
          if (now === moment) left -= 1;
          if (left > 0) return;
          isDead = true;
          throw new Error('dies here');
        },
      });
      const order = fixture.approved(diamond);
      const first = await fixture.runs.start(order).catch(() => undefined);
      await toTheEnd(fixture);
      const hasDied = isDead;
      isDead = false;
      left = Number.POSITIVE_INFINITY;
      fixture.restart();
      await toTheEnd(fixture);
      const { runId } = await fixture.runs.start(order);
      if (first) expect(first.runId).toBe(runId);
      await toTheEnd(fixture);
      expect([moment, nth, fixture.row(runId).status]).toEqual([moment, nth, 'succeeded']);
      // Every session of these steps succeeds: a second one would mean that a finished step ran again.
      expect(fixture.steps.orders.map(({ nodeId }) => nodeId).sort()).toEqual(['a', 'b', 'c', 'd']);
      for (const name of ['modelRequests', 'promptTokens']) expect(fixture.budget(runId, name).reserved).toBe(0);
      expect(fixture.budget(runId, 'promptTokens').used).toBe(400);
      if (!hasDied) break;
    }
  });
});

describe('a step that was running', () => {
  const held = (changes = {}) => ({ ...headWith(), nodes: [nodeWith('a', changes)], edges: [] });

  test('restarts under a new epoch if its policy allows it', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(held());
    fixture.restart();
    await fixture.runs.settled();
    await fixture.ambient.advance(1);
    await fixture.runs.settled();
    expect(fixture.steps.orders.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const types = fixture.types(runId);
    expect(types.slice(types.indexOf('node_recovered'))).toEqual(
      expect.arrayContaining([
        'node_recovered',
        'activity_reconciled',
        'budget_settled',
        'retry_scheduled',
        'timer_fired',
      ]),
    );
    const epochs = fixture.facts(runId).flatMap(({ leaseEpoch }) => leaseEpoch ?? []);
    expect(epochs).toEqual([...epochs].sort((a, b) => a - b));
    expect(Math.max(...epochs)).toBe(3);
    expect(fixture.budget(runId, 'promptTokens').used).toBe(100);
  });

  test('needs attention if it must not repeat, until the user retries', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const activityPolicy = {
      effectClass: 'reconcilable',
      retryMode: 'manual-on-uncertain',
      maxAttempts: 3,
      deadlineMs: null,
    };
    const { runId } = await fixture.started(held({ activityPolicy }));
    fixture.restart();
    await fixture.runs.settled();
    expect(fixture.states(runId)).toEqual({ a: 'uncertain' });
    const { executionId } = {
      executionId: fixture.facts(runId).find(({ type }) => type === 'activity_uncertain')?.activityExecutionId,
    };
    expect(fixture.row(runId)).toMatchObject({
      status: 'needs_attention',
      reason: `activity_uncertain:${executionId}`,
    });
    await fixture.runs.retry({ sessionId: ROOT, runId, commandId: fixture.commandId() });
    await fixture.runs.settled();
    fixture.steps.release('a');
    await fixture.runs.settled();
    expect(fixture.row(runId)).toMatchObject({ status: 'succeeded', attention: 0 });
  });

  test('ignores late results of an ended attempt', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(held());
    const former = fixture.runs;
    // The earlier process is still alive: its session ends after another process has taken over the step.
    const next = (await import('../runs.ts')).createRuns({
      ambient: fixture.ambient,
      db: fixture.store.db,
      content: fixture.content,
      steps: { ...fixture.steps, lookUp: async (id) => ({ ...(await outcome(id)), end: 'running' }) },
      isBackground: true,
      concurrency: { total: 1, perProvider: 1 },
      sessionExists: () => true,
    });
    const outcome = async (stepSessionId: string) => ({
      stepSessionId,
      model: null,
      usage: { promptTokens: 0, completionTokens: 0, toolCalls: 0, modelRequests: 0, costUsd: null },
      text: '',
    });
    next.begin();
    await next.settled();
    expect(fixture.states(runId)).toEqual({ a: 'reconciling' });
    fixture.steps.release('a');
    await former.settled();
    expect(fixture.types(runId)).toContain('stale_activity_completion_observed');
    expect(fixture.states(runId)).toEqual({ a: 'reconciling' });
    const ended = next[Symbol.asyncDispose]();
    await fixture.ambient.advance(5_000);
    await ended;
  });

  test('completes a requested pause and cancel', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const paused = await fixture.started(stepChain('a', 'b'));
    const cancelled = await fixture.started(stepChain('a', 'b'));
    const order = (runId: string) => ({ sessionId: ROOT, runId, commandId: fixture.commandId() });
    await fixture.runs.pause(order(paused.runId));
    let isDead = true;
    const slow = fixture.steps.run;
    fixture.steps.run = (...args) => (isDead ? new Promise(() => undefined) : slow(...args));
    await fixture.runs.cancel(order(cancelled.runId));
    isDead = false;
    fixture.restart();
    await toTheEnd(fixture);
    expect(fixture.row(paused.runId)).toMatchObject({ status: 'paused', isPauseRequested: false });
    expect(fixture.row(cancelled.runId).status).toBe('cancelled');
  });

  test('continues the delay before a retry', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => ({ errorClass: 'rate_limit', retryAfterMs: 60_000 }));
    const { runId } = await fixture.started(held());
    fixture.steps.script(() => ({ text: 'ok' }));
    await fixture.ambient.advance(40_000);
    fixture.restart();
    await fixture.runs.settled();
    expect(fixture.states(runId)).toEqual({ a: 'retry_wait' });
    await fixture.ambient.advance(20_100);
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('succeeded');
  });
});

describe('a store that fails for a while', () => {
  test('delays the run, loses nothing, and is logged', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a', 'b'));
    const db = fixture.store.db();
    db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON run_events BEGIN SELECT RAISE(ABORT, 'full'); END`);
    fixture.steps.release('a');
    await fixture.runs.settled();
    await fixture.ambient.advance(3_000);
    expect(fixture.states(runId)).toEqual({ a: 'running', b: 'blocked' });
    db.exec('DROP TRIGGER refuse');
    await fixture.ambient.advance(6_000);
    await fixture.runs.settled();
    expect(fixture.states(runId)).toEqual({ a: 'succeeded', b: 'running' });
    expect(fixture.ambient.lines.join()).toContain('workflows.store-refuses');
  });

  test('leaves no partly created run after a crash at its start', async () => {
    await using fixture = await runFixture();
    const db = fixture.store.db();
    db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'full'); END`);
    const order = fixture.approved(stepChain('a', 'b'));
    await expect(fixture.runs.start(order)).rejects.toThrow('WORKFLOW_STORE_UNAVAILABLE');
    db.exec('DROP TRIGGER refuse');
    db.exec(
      `CREATE TRIGGER refuse BEFORE UPDATE ON runs WHEN new.status = 'running' BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    const { runId } = await fixture.runs.start(order);
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('created');
    db.exec('DROP TRIGGER refuse');
    await fixture.ambient.advance(6_000);
    await fixture.runs.settled();
    expect(fixture.row(runId).status).toBe('succeeded');
  });

  test('rejects commands until the recovery is written', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a'));
    const db = fixture.store.db();
    db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON run_nodes BEGIN SELECT RAISE(ABORT, 'full'); END`);
    fixture.restart();
    const order = { sessionId: ROOT, runId, commandId: fixture.commandId() };
    await expect(fixture.runs.pause(order)).rejects.toThrow('WORKFLOW_RUNTIME_NOT_READY');
    db.exec('DROP TRIGGER refuse');
    await fixture.ambient.advance(1_100);
    await fixture.runs.pause(order);
    await fixture.runs.settled();
    expect(fixture.row(runId)).toMatchObject({ status: 'running', isPauseRequested: true });
    expect(fixture.steps.orders.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('lets the next process report an undelivered result under the same name', async () => {
    let isDeaf = true;
    const reported: string[] = [];
    await using fixture = await runFixture({
      async reportOutcome({ outcomeId }) {
        if (isDeaf) throw new Error('nobody listens');
        reported.push(outcomeId);
      },
    });
    const { runId } = await fixture.started(stepChain('a'));
    expect(reported).toEqual([]);
    isDeaf = false;
    fixture.restart();
    await fixture.runs.settled();
    expect(reported).toEqual([`${runId}:${fixture.row(runId).lastSeq}`]);
    fixture.restart();
    await fixture.runs.settled();
    expect(reported).toHaveLength(1);
  });
});

describe('an unexpected error', () => {
  test('in one step fails it, and the others continue', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(({ nodeId }) => (nodeId === 'a' ? { text: 'ok', usage: undefined } : { text: 'ok' }) as never);
    const { runId } = await fixture.started({
      ...headWith(),
      nodes: ['start', 'a', 'b'].map((id) => nodeWith(id)),
      edges: [edgeWith('start', 'a'), edgeWith('start', 'b')],
    });
    expect(fixture.states(runId)).toEqual({ start: 'succeeded', a: 'failed', b: 'succeeded' });
    expect(fixture.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'node_failed' });
    expect(fixture.ambient.lines.join()).toContain('workflows.work-left-out');
  });

  test('in one run pauses it for a while', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(({ nodeId }) => (nodeId.startsWith('x') ? 'hold' : { text: 'ok' }));
    const first = await fixture.started(stepChain('x', 'y'));
    const isBroken = { now: true };
    const { providerOf } = fixture.steps;
    fixture.steps.providerOf = (model, root) => {
      if (isBroken.now) throw new TypeError('a bug');
      return providerOf(model, root);
    };
    fixture.steps.release('x');
    await fixture.runs.settled();
    expect(fixture.states(first.runId)).toEqual({ x: 'succeeded', y: 'ready' });
    isBroken.now = false;
    await fixture.ambient.advance(31_000);
    await fixture.runs.settled();
    expect(fixture.row(first.runId).status).toBe('succeeded');
  });
});
