import { describe, expect, test } from '@jest/globals';
import { chain, edgeWith, headWith, nodeWith, unbounded } from '../../../test/cores.ts';
import { ROOT, type RunGround, runGround } from '../../../test/run-ground.ts';
import type { FaultMoment } from '../needs.ts';

const MOMENTS: readonly FaultMoment[] = ['before-write', 'before-commit', 'after-commit'];

const diamond = {
  ...headWith({ budgets: { ...unbounded, modelRequests: 50, promptTokens: 5_000 } }),
  nodes: ['a', 'b', 'c', 'd'].map((id) => nodeWith(id)),
  edges: [edgeWith('a', 'b'), edgeWith('a', 'c'), edgeWith('b', 'd'), edgeWith('c', 'd')],
};

/** Lets time pass until nothing is left to do. */
async function toTheEnd(ground: RunGround): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await ground.runs.settled();
    await ground.ambient.advance(2_500);
  }
  await ground.runs.settled();
}

describe('a process that ends', () => {
  test.each(MOMENTS)('%s of any write: no finished step runs again, none is lost, no budget leaks', async (moment) => {
    for (let nth = 1; ; nth += 1) {
      let left = nth;
      let isDead = false;
      await using ground = await runGround({
        fault(now) {
          if (isDead) throw new Error('dead');
          if (now === moment) left -= 1;
          if (left > 0) return;
          isDead = true;
          throw new Error('dies here');
        },
      });
      const order = ground.approved(diamond);
      const first = await ground.runs.start(order).catch(() => undefined);
      await toTheEnd(ground);
      const hasDied = isDead;
      isDead = false;
      left = Number.POSITIVE_INFINITY;
      ground.restart();
      await toTheEnd(ground);
      const { runId } = await ground.runs.start(order);
      if (first) expect(first.runId).toBe(runId);
      await toTheEnd(ground);
      expect([moment, nth, ground.row(runId).status]).toEqual([moment, nth, 'succeeded']);
      // Every session of these steps succeeds: a second one of a step would be a finished step that ran again.
      expect(ground.steps.orders.map(({ nodeId }) => nodeId).sort()).toEqual(['a', 'b', 'c', 'd']);
      for (const name of ['modelRequests', 'promptTokens']) expect(ground.budget(runId, name).reserved).toBe(0);
      expect(ground.budget(runId, 'promptTokens').used).toBe(400);
      if (!hasDied) break;
    }
  });
});

describe('a step that was in flight', () => {
  const held = (changes = {}) => ({ ...headWith(), nodes: [nodeWith('a', changes)], edges: [] });

  test('begins again where its policy allows it, under a new epoch', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(held());
    ground.restart();
    await ground.runs.settled();
    await ground.ambient.advance(1);
    await ground.runs.settled();
    expect(ground.steps.orders.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const types = ground.types(runId);
    expect(types.slice(types.indexOf('node_recovered'))).toEqual(
      expect.arrayContaining([
        'node_recovered',
        'activity_reconciled',
        'budget_settled',
        'retry_scheduled',
        'timer_fired',
      ]),
    );
    const epochs = ground.facts(runId).flatMap(({ leaseEpoch }) => leaseEpoch ?? []);
    expect(epochs).toEqual([...epochs].sort((a, b) => a - b));
    expect(Math.max(...epochs)).toBe(3);
    expect(ground.budget(runId, 'promptTokens').used).toBe(100);
  });

  test('is uncertain where nobody may decide for the person, until the person asks for it again', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const activityPolicy = {
      effectClass: 'reconcilable',
      retryMode: 'manual-on-uncertain',
      maxAttempts: 3,
      deadlineMs: null,
    };
    const { runId } = await ground.started(held({ activityPolicy }));
    ground.restart();
    await ground.runs.settled();
    expect(ground.states(runId)).toEqual({ a: 'uncertain' });
    const { executionId } = {
      executionId: ground.facts(runId).find(({ type }) => type === 'activity_uncertain')?.activityExecutionId,
    };
    expect(ground.row(runId)).toMatchObject({ status: 'needs_attention', reason: `activity_uncertain:${executionId}` });
    await ground.runs.retry({ sessionId: ROOT, runId, commandId: ground.commandId() });
    await ground.runs.settled();
    ground.steps.release('a');
    await ground.runs.settled();
    expect(ground.row(runId)).toMatchObject({ status: 'succeeded', attention: 0 });
  });

  test('a late word of an attempt that is over counts for nothing', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(held());
    const former = ground.runs;
    // The former process is not dead after all: its session ends while another has taken the step over.
    const next = (await import('../runs.ts')).createRuns({
      ambient: ground.ambient,
      db: ground.store.db,
      content: ground.content,
      steps: { ...ground.steps, lookUp: async (id) => ({ ...(await outcome(id)), end: 'running' }) },
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
    expect(ground.states(runId)).toEqual({ a: 'reconciling' });
    ground.steps.release('a');
    await former.settled();
    expect(ground.types(runId)).toContain('stale_activity_completion_observed');
    expect(ground.states(runId)).toEqual({ a: 'reconciling' });
    const ended = next[Symbol.asyncDispose]();
    await ground.ambient.advance(5_000);
    await ended;
  });

  test('a pause and a cancel that were asked for are carried to their end', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const paused = await ground.started(chain('a', 'b'));
    const cancelled = await ground.started(chain('a', 'b'));
    const order = (runId: string) => ({ sessionId: ROOT, runId, commandId: ground.commandId() });
    await ground.runs.pause(order(paused.runId));
    let isDead = true;
    const slow = ground.steps.run;
    ground.steps.run = (...args) => (isDead ? new Promise(() => undefined) : slow(...args));
    await ground.runs.cancel(order(cancelled.runId));
    isDead = false;
    ground.restart();
    await toTheEnd(ground);
    expect(ground.row(paused.runId)).toMatchObject({ status: 'paused', isPauseRequested: false });
    expect(ground.row(cancelled.runId).status).toBe('cancelled');
  });

  test('the wait before a retry goes on where it was', async () => {
    await using ground = await runGround();
    ground.steps.script(() => ({ errorClass: 'rate_limit', retryAfterMs: 60_000 }));
    const { runId } = await ground.started(held());
    ground.steps.script(() => ({ text: 'ok' }));
    await ground.ambient.advance(40_000);
    ground.restart();
    await ground.runs.settled();
    expect(ground.states(runId)).toEqual({ a: 'retry_wait' });
    await ground.ambient.advance(20_100);
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('succeeded');
  });
});

describe('a store that refuses for a while', () => {
  test('holds the run up, loses nothing, and says so in the log', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(chain('a', 'b'));
    const db = ground.store.db();
    db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON run_events BEGIN SELECT RAISE(ABORT, 'full'); END`);
    ground.steps.release('a');
    await ground.runs.settled();
    await ground.ambient.advance(3_000);
    expect(ground.states(runId)).toEqual({ a: 'running', b: 'blocked' });
    db.exec('DROP TRIGGER refuse');
    await ground.ambient.advance(6_000);
    await ground.runs.settled();
    expect(ground.states(runId)).toEqual({ a: 'succeeded', b: 'running' });
    expect(ground.ambient.lines.join()).toContain('workflows.store-refuses');
  });

  test('while a run begins takes nothing from it', async () => {
    await using ground = await runGround();
    const db = ground.store.db();
    db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'full'); END`);
    const order = ground.approved(chain('a', 'b'));
    await expect(ground.runs.start(order)).rejects.toThrow('WORKFLOW_STORE_UNAVAILABLE');
    db.exec('DROP TRIGGER refuse');
    db.exec(
      `CREATE TRIGGER refuse BEFORE UPDATE ON runs WHEN new.status = 'running' BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    const { runId } = await ground.runs.start(order);
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('created');
    db.exec('DROP TRIGGER refuse');
    await ground.ambient.advance(6_000);
    await ground.runs.settled();
    expect(ground.row(runId).status).toBe('succeeded');
  });

  test('commands wait until the recovery could be written', async () => {
    await using ground = await runGround();
    ground.steps.script(() => 'hold');
    const { runId } = await ground.started(chain('a'));
    const db = ground.store.db();
    db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON run_nodes BEGIN SELECT RAISE(ABORT, 'full'); END`);
    ground.restart();
    const order = { sessionId: ROOT, runId, commandId: ground.commandId() };
    await expect(ground.runs.pause(order)).rejects.toThrow('WORKFLOW_RUNTIME_NOT_READY');
    db.exec('DROP TRIGGER refuse');
    await ground.ambient.advance(1_100);
    await ground.runs.pause(order);
    await ground.runs.settled();
    expect(ground.row(runId)).toMatchObject({ status: 'running', isPauseRequested: true });
    expect(ground.steps.orders.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('an outcome that could not be told is told by the next process, under the same name', async () => {
    let isDeaf = true;
    const told: string[] = [];
    await using ground = await runGround({
      async tellOutcome({ outcomeId }) {
        if (isDeaf) throw new Error('nobody listens');
        told.push(outcomeId);
      },
    });
    const { runId } = await ground.started(chain('a'));
    expect(told).toEqual([]);
    isDeaf = false;
    ground.restart();
    await ground.runs.settled();
    expect(told).toEqual([`${runId}:${ground.row(runId).lastSeq}`]);
    ground.restart();
    await ground.runs.settled();
    expect(told).toHaveLength(1);
  });
});

describe('what nobody foresaw', () => {
  test('in one step makes it fail, and the others go on', async () => {
    await using ground = await runGround();
    ground.steps.script(({ nodeId }) => (nodeId === 'a' ? { text: 'ok', usage: undefined } : { text: 'ok' }) as never);
    const { runId } = await ground.started({
      ...headWith(),
      nodes: ['start', 'a', 'b'].map((id) => nodeWith(id)),
      edges: [edgeWith('start', 'a'), edgeWith('start', 'b')],
    });
    expect(ground.states(runId)).toEqual({ start: 'succeeded', a: 'failed', b: 'succeeded' });
    expect(ground.row(runId)).toMatchObject({ status: 'needs_attention', reason: 'node_failed' });
    expect(ground.ambient.lines.join()).toContain('workflows.work-left-out');
  });

  test('in one run leaves it alone for a while, and it goes on then', async () => {
    await using ground = await runGround();
    ground.steps.script(({ nodeId }) => (nodeId.startsWith('x') ? 'hold' : { text: 'ok' }));
    const first = await ground.started(chain('x', 'y'));
    const isBroken = { now: true };
    const { providerOf } = ground.steps;
    ground.steps.providerOf = (model, root) => {
      if (isBroken.now) throw new TypeError('a bug');
      return providerOf(model, root);
    };
    ground.steps.release('x');
    await ground.runs.settled();
    expect(ground.states(first.runId)).toEqual({ x: 'succeeded', y: 'ready' });
    isBroken.now = false;
    await ground.ambient.advance(31_000);
    await ground.runs.settled();
    expect(ground.row(first.runId).status).toBe('succeeded');
  });
});
