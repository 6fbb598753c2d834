import type { Ambient, TraceSpan } from '@fucina/shared';
import type { WorkflowNode } from '../../definition/core.ts';
import { nodeOf } from '../../store/definitions.ts';
import type { Graphs } from '../graph/graphs.ts';
import { estimateOf, remainingBudget, shortOf } from '../journal/budgets.ts';
import type { RunWriter, Transaction } from '../journal/journal.ts';
import type { RunDefinition, StepRow } from '../journal/rows.ts';
import type { Concurrency } from '../needs.ts';
import type { StepSessions } from '../ports.ts';
import { isOver } from '../run-state.ts';
import { type AttemptNeeds, fireTimers, markStepClaimed } from '../steps/attempts.ts';
import type { Circuits } from './circuits.ts';
import { settleCancel, settleRun } from './ends.ts';
import type { InFlightSteps } from './in-flight-steps.ts';

/** A run in progress in this process. */
export interface ActiveRun {
  key: number;
  runId: string;
  sessionId: string;
  definition: RunDefinition;
  /** While traces are collected. */
  span: TraceSpan | undefined;
  /** Its first steps have not been made ready yet. */
  isOpening: boolean;
}

/** The outcome of a step, recorded with others in one transaction. */
export interface StepArrival {
  run: number;
  executionId: string;
  /** The step is no longer in flight. */
  isEnd: boolean;
  /** Returns whether any step became ready. */
  apply(needs: AttemptNeeds): boolean;
  /** Recorded instead if that throws. */
  instead?: StepArrival;
}

export interface Claim {
  run: ActiveRun;
  node: WorkflowNode;
  step: StepRow;
  provider: string;
  /** Null: no limit. */
  deadlineMs: number | null;
  maxModelCalls: number | null;
}

/** The decisions of a tick; valid once its transaction is on disk. */
export interface TickOutcome {
  claims: Claim[];
  /** Executions that are no longer in flight. */
  ended: Set<string>;
  /** Runs without further work in this process, until a command comes. */
  resting: Set<number>;
  /** Runs to check again at once. */
  again: Set<number>;
  /** Times (ms since the epoch) at which to check a run again. */
  wakes: Map<number, number>;
}

export interface TickNeeds {
  ambient: Ambient;
  graphs: Graphs;
  circuits: Circuits;
  inFlight: InFlightSteps;
  steps: Pick<StepSessions, 'providerOf'>;
  concurrency: Concurrency;
  active: ReadonlyMap<number, ActiveRun>;
  /** Runs that may have ready steps, the next in turn first. A hint only: wrong entries are detected. */
  ready: Set<number>;
}

export interface TickWork {
  arrivals: readonly StepArrival[];
  dirty: Iterable<number>;
  /** Which runs may start steps: all in turn, one, or none; with none, no run ends either. */
  claims: 'all' | 'none' | number;
}

const FIRST_STEPS = 1_000;
/** Runs that wait for their provider are checked in parts; the others later. */
const MISSES = 200;
const MISSED_MS = 1_000;

/** Records everything pending in one transaction: outcomes, timers, commands, new claims, ends. */
export function tick(needs: TickNeeds, tx: Transaction, work: TickWork): TickOutcome {
  const outcome: TickOutcome = {
    claims: [],
    ended: new Set(),
    resting: new Set(),
    again: new Set(),
    wakes: new Map(),
  };
  const dirty = new Set(work.dirty);
  for (const { run, executionId, isEnd, apply } of work.arrivals) {
    const active = needs.active.get(run);
    if (isEnd) outcome.ended.add(executionId);
    if (!active) continue;
    // The end of a step frees capacity and budget that other steps of its run may need.
    if (apply(attemptNeeds(needs, tx, active)) || isEnd) needs.ready.add(run);
    dirty.add(run);
  }
  for (const key of dirty) {
    const active = needs.active.get(key);
    if (active) advance(needs, tx, { active, outcome });
  }
  const short = claimSteps(needs, tx, { outcome, claims: work.claims });
  for (const key of new Set([...dirty, ...short])) {
    const active = needs.active.get(key);
    if (active && work.claims !== 'none') settle(needs, tx, { active, outcome, isShort: short.has(key) });
  }
  return outcome;
}

interface Looked {
  active: ActiveRun;
  outcome: TickOutcome;
}

function advance(needs: TickNeeds, tx: Transaction, { active, outcome }: Looked): void {
  const writer = tx.run(active.key);
  const { run } = writer;
  if (run.status === 'created' && !run.isCancelRequested) {
    writer.note({ type: 'run_started', payload: {} });
    writer.moveRun('start');
  }
  if (run.status !== 'running' || run.isCancelRequested) return;
  if (active.isOpening && tx.rows.count(run.key, 'pending') > 0) {
    if (run.startedAt !== tx.at) writer.note({ type: 'checkpoint_written', payload: { status: run.status } });
    if (writer.moveMany('pending', 'ready', FIRST_STEPS) < FIRST_STEPS) active.isOpening = false;
    else outcome.again.add(run.key);
    needs.ready.add(run.key);
  }
  if (run.isPauseRequested) return;
  if (fireTimers({ writer, rows: tx.rows })) needs.ready.add(run.key);
  const next = tx.rows.nextDue(run.key);
  if (next !== undefined) outcome.wakes.set(run.key, next);
}

/** Claims ready steps from every run in turn, while there is capacity. Returns the runs whose budget is too small. */
function claimSteps(
  needs: TickNeeds,
  tx: Transaction,
  { outcome, claims }: { outcome: TickOutcome; claims: TickWork['claims'] },
): Set<number> {
  const { ready, inFlight, concurrency, active } = needs;
  const short = new Set<number>();
  const blocked = new Set<number>();
  const busy = (): number => inFlight.count() - freed(needs, outcome) + outcome.claims.length;
  // A key that is moved to the end is visited again by this loop, after the others.
  for (const key of claims === 'all' ? ready : claims === 'none' ? [] : [claims]) {
    if (busy() >= concurrency.total) break;
    if (blocked.size >= MISSES) {
      outcome.wakes.set(key, tx.at + MISSED_MS);
      break;
    }
    const run = active.get(key);
    if (!run || blocked.has(key)) {
      if (!run) ready.delete(key);
      continue;
    }
    const found = claimOne(needs, tx, { active: run, outcome });
    ready.delete(key);
    if (found === 'claimed' || found === 'blocked') ready.add(key);
    if (found === 'blocked') blocked.add(key);
    if (found === 'short') short.add(key);
  }
  return short;
}

function freed({ inFlight }: TickNeeds, { ended }: TickOutcome, provider?: string): number {
  let count = 0;
  for (const executionId of ended) {
    const running = inFlight.get(executionId);
    if (running && running.provider !== null && (provider ?? running.provider) === running.provider) count += 1;
  }
  return count;
}

const LOOKED_AT = 64;

function claimOne(
  needs: TickNeeds,
  tx: Transaction,
  { active, outcome }: Looked,
): 'claimed' | 'blocked' | 'short' | 'none' {
  const writer = tx.run(active.key);
  const { run } = writer;
  if (run.status !== 'running' || run.isPauseRequested || run.isCancelRequested) return 'none';
  let isBlocked = false;
  for (const limit of [1, LOOKED_AT]) {
    const steps = tx.rows.ready(run.key, limit).slice(limit === 1 ? 0 : 1);
    for (const step of steps) {
      const node = nodeOf(tx.db, active.definition.key, step.ord);
      const provider = needs.steps.providerOf(node.modelPolicy.model, active.sessionId);
      if (isClosed(needs, { provider, outcome, run: run.key })) {
        isBlocked = true;
        continue;
      }
      return claimStep(attemptNeeds(needs, tx, active), { active, outcome, step, node, provider });
    }
    if (!isBlocked) break;
  }
  return isBlocked ? 'blocked' : 'none';
}

/** Whether no step of this provider may start now. */
function isClosed(needs: TickNeeds, at: { provider: string; outcome: TickOutcome; run: number }): boolean {
  const { provider, outcome, run } = at;
  const claimed = outcome.claims.filter((one) => one.provider === provider).length;
  const inFlight = needs.inFlight.count(provider) - freed(needs, outcome, provider) + claimed;
  const answer = needs.circuits.admits(provider, inFlight);
  if (answer.isOpen && answer.until !== null) {
    outcome.wakes.set(run, Math.min(answer.until, outcome.wakes.get(run) ?? answer.until));
  }
  return answer.isOpen;
}

type Candidate = Looked & { step: StepRow; node: WorkflowNode; provider: string };

function claimStep(needs: AttemptNeeds, { active, outcome, step, node, provider }: Candidate): 'claimed' | 'short' {
  const { budgets } = needs.writer;
  const bounds = active.definition.head.budgets;
  const estimate = estimateOf(node, step.retries > 0);
  if (shortOf(bounds, budgets, estimate)) return 'short';
  const left = (name: 'wallMs' | 'agentSeconds' | 'modelRequests'): number | null =>
    remainingBudget(bounds, budgets, name);
  const seconds = least(node.budget.agentSeconds, left('agentSeconds'));
  const deadlineMs = least(
    node.activityPolicy.deadlineMs,
    node.budget.wallMs,
    left('wallMs'),
    seconds === null ? null : seconds * 1_000,
  );
  const maxModelCalls = least(node.budget.modelRequests, left('modelRequests'));
  const claimed = markStepClaimed(needs, { step, node, provider, estimate });
  outcome.claims.push({ run: active, node, step: claimed, provider, deadlineMs, maxModelCalls });
  return 'claimed';
}

function least(...bounds: (number | null)[]): number | null {
  const given = bounds.filter((bound): bound is number => bound !== null);
  return given.length ? Math.max(1, Math.min(...given)) : null;
}

function settle(needs: TickNeeds, tx: Transaction, looked: Looked & { isShort: boolean }): void {
  const { active, outcome, isShort } = looked;
  const writer = tx.run(active.key);
  const { status, isCancelRequested } = writer.run;
  if (isOver(status)) return void outcome.resting.add(active.key);
  if (isInFlight(needs, active, outcome)) return;
  if (isCancelRequested) {
    const rest = settleCancel(writer, active.definition.totalNodes);
    return void (rest === 'over' ? outcome.resting : outcome.again).add(active.key);
  }
  if (status !== 'running') return void outcome.resting.add(active.key);
  if (outcome.again.has(active.key)) return;
  if (settleRun(graphOf(needs, tx, active), writer, { isShort }) === 'over') outcome.resting.add(active.key);
}

function isInFlight({ inFlight }: TickNeeds, { key }: ActiveRun, { ended, claims }: TickOutcome): boolean {
  if (claims.some(({ run }) => run.key === key)) return true;
  const own = inFlight.inRun(key);
  if (own === 0) return false;
  let over = 0;
  for (const executionId of ended) if (inFlight.get(executionId)?.run === key) over += 1;
  return own > over;
}

function graphOf({ graphs }: TickNeeds, { db, rows }: Transaction, { definition, key, runId }: ActiveRun) {
  return { db, rows, graphs, definition, run: { key, runId } };
}

function attemptNeeds(needs: TickNeeds, tx: Transaction, active: ActiveRun): AttemptNeeds {
  const { ambient, circuits } = needs;
  const writer: RunWriter = tx.run(active.key);
  return { ...graphOf(needs, tx, active), ambient, circuits, writer };
}
