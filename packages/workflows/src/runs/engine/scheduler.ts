import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Ambient, SqliteDatabase } from '@fucina/shared';
import { nodeOf } from '../../store/definitions.ts';
import { createGraphs } from '../graph/graphs.ts';
import type { Journal } from '../journal/journal.ts';
import type { RunRow, StepRow } from '../journal/rows.ts';
import type { RunsNeeds } from '../needs.ts';
import type { OutcomeReporter } from '../outcome-reporter.ts';
import { createStepRunner } from '../steps/step-runner.ts';
import { createAlarms } from './alarms.ts';
import { createCircuits } from './circuits.ts';
import { createInFlightSteps, type InFlightStep } from './in-flight-steps.ts';
import { createLoop, isStoreFailure } from './loop.ts';
import { takeOverRuns } from './recovery.ts';
import { endRunSpan, startRunSpan } from './run-spans.ts';
import { type ActiveRun, type Claim, type StepArrival, type TickNeeds, type TickOutcome, tick } from './tick.ts';

export interface Scheduler {
  /** Call after a command changed this run. `isReady`: it may have steps that can start. */
  nudge(run: number, isReady: boolean): void;
  /** Stops the steps in flight of a run whose cancel is on disk. */
  stop(run: number): void;
  /** Takes over the runs of an ended process, in batches, then starts all of them. Throws when the store fails. */
  recover(): void;
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface SchedulerNeeds extends Pick<RunsNeeds, 'content' | 'steps' | 'concurrency'> {
  ambient: Ambient;
  db: SqliteDatabase;
  journal: Journal;
  outcomes: OutcomeReporter;
}

/** Maximum events and runs per transaction. */
const ARRIVALS = 256;
const DIRTY = 256;
const RECOVERED = 100;
const CLOSE_LIMIT_MS = 3_000;
const LEFT_OUT_MS = 30_000;

export function createScheduler(needs: SchedulerNeeds): Scheduler {
  const { ambient, db, journal, steps, concurrency, outcomes } = needs;
  const graphs = createGraphs(db);
  const circuits = createCircuits(db, { now: ambient.now, perProvider: concurrency.perProvider });
  const inFlight = createInFlightSteps();
  const active = new Map<number, ActiveRun>();
  const ready = new Set<number>();
  const dirty = new Set<number>();
  const leftOut = new Set<number>();
  let arrivals: StepArrival[] = [];
  let isClosing = false;
  const alarms = createAlarms(ambient, (key) => {
    dirty.add(key);
    ready.add(key);
    loop.wake();
  });
  const runner = createStepRunner({
    ...needs,
    rows: journal.rows,
    graphs,
    isClosing: () => isClosing,
    arrive(arrival) {
      arrivals.push(arrival);
      loop.wake();
    },
  });
  const tickNeeds: TickNeeds = { ambient, graphs, circuits, inFlight, steps, concurrency, active, ready };

  const activate = (run: RunRow): ActiveRun => {
    const known = active.get(run.key);
    if (known) return known;
    const { key, runId, sessionId } = run;
    const definition = journal.rows.definition(run.definition);
    const span = startRunSpan(ambient, { runId, sessionId });
    const made = { key, runId, sessionId, definition, span, isOpening: true };
    active.set(key, made);
    return made;
  };

  const rest = (key: number): void => {
    const run = active.get(key);
    if (run?.span) endRunSpan(run, journal.rows.run(key)?.status);
    active.delete(key);
    ready.delete(key);
    dirty.delete(key);
    alarms.clear(key);
  };

  const launch = ({ run, node, step, provider, deadlineMs, maxModelCalls }: Claim): void => {
    const running = flightOf(run.key, step, { node, provider });
    inFlight.add(running);
    runner.run(run, running, { deadlineMs, maxModelCalls });
  };

  const adopt = (outcome: TickOutcome): void => {
    for (const executionId of outcome.ended) inFlight.end(executionId);
    for (const claim of outcome.claims) launch(claim);
    for (const key of outcome.again) dirty.add(key);
    for (const [key, at] of outcome.wakes) alarms.set(key, at);
    for (const key of outcome.resting) if (inFlight.inRun(key) === 0) rest(key);
    if (outcome.resting.size) outcomes.nudge();
  };

  /** One transaction for part of the queue; the rest waits for the next. */
  const work = (
    some: readonly StepArrival[],
    keys: readonly number[],
    claims: 'all' | 'none' | number = 'all',
  ): void => {
    const order = { arrivals: some, dirty: keys, claims: isClosing ? 'none' : claims } as const;
    const outcome = journal.write((tx) => tick(tickNeeds, tx, order));
    for (const key of keys) dirty.delete(key);
    adopt(outcome);
  };
  /** Reverts state learned in a transaction that was rolled back. */
  const forget = (): void => {
    circuits.reload();
    for (const run of active.values()) {
      run.isOpening = true;
      ready.add(run.key);
    }
  };
  const turn = (): unknown => {
    const some = arrivals.slice(0, ARRIVALS);
    const keys = [...dirty].slice(0, DIRTY);
    try {
      work(some, keys);
    } catch (error) {
      forget();
      const refused = isStoreFailure(error) ? error : apart(some, keys, error);
      if (refused) return refused;
    }
    arrivals = arrivals.slice(some.length);
    if (arrivals.length || dirty.size) loop.wake();
    return undefined;
  };
  const loop = createLoop(ambient, turn);
  /**
   * A bug in one step or run must not stop the others: retries each separately, and drops those that throw again.
   * Returns the error of the store, if it failed in the meantime.
   */
  const apart = (some: readonly StepArrival[], keys: readonly number[], cause: unknown): unknown => {
    ambient.log.error('workflows.tick-failed', { error: cause });
    try {
      for (const arrival of some) {
        const { instead, run } = arrival;
        const isNoted = alone(run, () => work([arrival], [], 'none'));
        if (!isNoted && !(instead && alone(run, () => work([instead], [], 'none')))) leaveOut(run);
      }
      const others = some.map(({ run }) => run);
      for (const key of new Set([...keys, ...others, ...ready])) {
        if (!alone(key, () => work([], [key], key))) leaveOut(key);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const alone = (key: number, act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      ambient.log.error('workflows.work-left-out', { runId: active.get(key)?.runId, error });
      return false;
    }
  };
  /** Its steps are stopped, and their outcome is looked up later, as after a crash. */
  const leaveOut = (key: number): void => {
    for (const { controller, lease } of inFlight.ofRun(key)) {
      controller.abort('user');
      inFlight.end(lease.executionId);
    }
    rest(key);
    // Once: if it fails again, it waits for a command, or for the next start.
    if (leftOut.has(key)) return;
    leftOut.add(key);
    ambient.timer(LEFT_OUT_MS, () => {
      if (!loop.isStopped() && !active.has(key)) alone(key, () => nudge(key, true));
    });
  };

  const recoverSome = (keys: readonly number[]): void => {
    const found = takeOverRuns({ journal, ambient }, keys);
    for (const { run, steps: cut } of found) {
      const made = activate(run);
      for (const step of cut) {
        const node = nodeOf(db, run.definition, step.ord);
        const running = flightOf(run.key, step, { node, provider: null });
        inFlight.add(running);
        runner.lookUp(made, running);
      }
      dirty.add(run.key);
      ready.add(run.key);
    }
  };

  const nudge = (key: number, isReady: boolean): void => {
    const run = journal.rows.run(key);
    if (!run || isClosing) return;
    if (!active.has(key) && hasLost(key)) recoverSome([key]);
    else activate(run);
    dirty.add(key);
    if (isReady) ready.add(key);
    loop.wake();
  };
  /** Whether steps are recorded as in flight that this process does not know. */
  const hasLost = (key: number): boolean =>
    inFlight.inRun(key) === 0 && journal.rows.active(key).some(({ state }) => state !== 'uncertain');

  const isIdle = (): boolean =>
    loop.isStopped() || loop.isPausing() || !(loop.isScheduled() || runner.isBusy() || outcomes.isBusy());

  return {
    nudge,
    stop(key) {
      for (const { controller } of inFlight.ofRun(key)) controller.abort('user');
    },
    recover() {
      circuits.reload();
      const keys = journal.rows.unfinished().filter((key) => !active.has(key));
      for (let at = 0; at < keys.length; at += RECOVERED) recoverSome(keys.slice(at, at + RECOVERED));
      loop.wake();
    },
    async settled() {
      // First: ends that have not been processed yet.
      do await yieldToOthers();
      while (!isIdle());
    },
    async close() {
      if (loop.isStopped()) return;
      isClosing = true;
      for (const { controller } of inFlight.all()) controller.abort('shutdown');
      const limit = new Promise<void>((resolve) => ambient.timer(CLOSE_LIMIT_MS, resolve));
      await Promise.race([runner.done(), limit]);
      while (loop.isScheduled()) await yieldToOthers();
      loop.stop();
      for (const run of active.values()) endRunSpan(run, undefined);
      alarms.clearAll();
    },
  };
}

function flightOf(
  run: number,
  step: StepRow,
  { node, provider }: Pick<InFlightStep, 'node' | 'provider'>,
): InFlightStep {
  const lease = { executionId: step.executionId ?? '', leaseId: step.leaseId ?? '', epoch: step.leaseEpoch };
  const stepSessionId = step.stepSessionId ?? '';
  const controller = new AbortController();
  return { run, ord: step.ord, node, provider, lease, attempt: step.attempt, stepSessionId, controller };
}
