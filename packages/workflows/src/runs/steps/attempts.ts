import type { Ambient } from '@fucina/shared';
import type { WorkflowNode } from '../../definition/core.ts';
import type { Circuits } from '../engine/circuits.ts';
import { type GraphOfRun, settleDependents } from '../graph/dependents.ts';
import { type Amounts, amountsUsed, overrunsOf } from '../journal/budgets.ts';
import type { RunWriter } from '../journal/journal.ts';
import type { StepRow } from '../journal/rows.ts';
import type { StepErrorClass, StepOutcome, StepSession } from '../ports.ts';
import type { NewResult } from './outputs.ts';
import { mayRepeatUnknown, mayRetry, retryDelay } from './retry-policy.ts';

/** Identifies an attempt: a result with other values belongs to an earlier one. */
export interface Lease {
  executionId: string;
  leaseId: string;
  epoch: number;
}

export interface AttemptNeeds extends GraphOfRun {
  ambient: Ambient;
  circuits: Circuits;
  writer: RunWriter;
}

export interface NewAttempt {
  step: StepRow;
  node: WorkflowNode;
  provider: string;
  estimate: Amounts;
}

/** Claims a ready step and reserves its budget. */
export function markStepClaimed({ ambient, circuits, writer }: AttemptNeeds, attempt: NewAttempt): StepRow {
  const { step, node, provider, estimate } = attempt;
  const activity = {
    executionId: ambient.newId(),
    attempt: step.attempt + 1,
    leaseId: ambient.newId(),
    leaseEpoch: step.leaseEpoch + 1,
  };
  const about = { node: step.ord, activity };
  writer.budgets.reserve(step.ord, activity.executionId, estimate);
  writer.note({ type: 'budget_reserved', ...about, payload: { amounts: estimate } });
  const { effectClass, deadlineMs } = node.activityPolicy;
  writer.note({ type: 'activity_scheduled', ...about, payload: { kind: node.kind, effectClass, deadlineMs } });
  for (const fact of circuits.begin(provider)) writer.note({ ...fact, node: step.ord });
  writer.note({ type: 'capacity_claimed', ...about, payload: { provider } });
  return writer.moveStep(step, 'leased', { ...activity, stepSessionId: ambient.newId(), provider, errorClass: null });
}

export interface StartedAttempt extends Pick<StepSession, 'model'> {
  ord: number;
  lease: Lease;
}

/** The step's session is on disk. Undefined when the lease is no longer current. */
export function markStepStarted(needs: AttemptNeeds, { ord, lease, model }: StartedAttempt): StepRow | undefined {
  const { writer } = needs;
  const step = heldStep(needs, ord, lease);
  if (step?.state !== 'leased') return step;
  const about = { node: ord, activity: step };
  const { eventId } = writer.note({
    type: 'agent_session_created',
    ...about,
    payload: { sessionId: step.stepSessionId, rootSessionId: writer.run.sessionId },
  });
  writer.note({ type: 'activity_started', ...about, causationId: eventId, payload: {} });
  writer.note({ type: 'node_started', ...about, payload: { attempt: step.attempt } });
  return writer.moveStep(step, 'running', { startedAt: step.startedAt ?? writer.at, ...model });
}

export interface Completion {
  ord: number;
  node: WorkflowNode;
  lease: Lease;
  outcome: StepOutcome;
  /** For a step that succeeded: its outputs; large content is already in the content store. */
  results: readonly NewResult[];
  wallMs: number;
  /** The provider whose capacity it used. */
  provider: string | null;
}

/** Ends an attempt. Only records a stale one; returns whether any step became ready. */
export function complete(needs: AttemptNeeds, completion: Completion): boolean {
  const { writer, circuits } = needs;
  const { ord, lease, outcome, provider } = completion;
  const held = heldStep(needs, ord, lease);
  if (!held) {
    noteStale(writer, ord, lease);
    return false;
  }
  const isSuccess = outcome.end === 'succeeded';
  const step = isSuccess ? (markStepStarted(needs, { ord, lease, model: outcome.model }) ?? held) : held;
  const about = { node: ord, activity: step };
  const { usage, end, errorClass, retryAfterMs } = outcome;
  if (step.state === 'reconciling') {
    writer.note({ type: 'activity_reconciled', ...about, payload: { outcome: end, errorClass: errorClass ?? null } });
  }
  if (step.state !== 'leased') {
    const { stepSessionId: sessionId } = step;
    writer.note({ type: 'agent_session_finished', ...about, payload: { sessionId, outcome: end } });
  }
  settleBudget(needs, step, completion);
  const trouble = isSuccess
    ? undefined
    : { errorClass: errorClass ?? 'internal', ...(retryAfterMs && { retryAfterMs }) };
  if (provider) for (const fact of circuits.end(provider, trouble)) writer.note({ ...fact, node: ord });
  writer.note({ type: 'capacity_released', ...about, payload: { provider } });
  if (isSuccess) return succeed(needs, step, completion);
  writer.note({ type: 'activity_failed', ...about, payload: { errorClass: trouble?.errorClass, usage } });
  fail(needs, step, completion);
  return false;
}

function heldStep({ rows, run }: AttemptNeeds, ord: number, lease: Lease): StepRow | undefined {
  const step = rows.step(run.key, ord);
  const isHeld =
    step?.executionId === lease.executionId && step.leaseEpoch === lease.epoch && step.leaseId === lease.leaseId;
  return isHeld && ['leased', 'running', 'reconciling'].includes(step.state) ? step : undefined;
}

function noteStale(writer: RunWriter, ord: number, lease: Lease): void {
  const { executionId, leaseId, epoch: leaseEpoch } = lease;
  const activity = { executionId, leaseId, leaseEpoch, attempt: 0 };
  writer.note({
    type: 'stale_activity_completion_observed',
    node: ord,
    activity,
    payload: { executionId, leaseEpoch },
  });
}

function settleBudget({ writer, definition }: AttemptNeeds, step: StepRow, completion: Completion): void {
  const { ord, outcome, wallMs } = completion;
  const about = { node: ord, activity: step };
  const reserved = writer.budgets.release(ord) ?? {};
  const used = amountsUsed(outcome.usage, { wallMs, isRetry: step.retries > 0 });
  writer.budgets.use(used);
  writer.note({ type: 'budget_settled', ...about, payload: { reserved, used } });
  const bounds = definition.head.budgets;
  for (const name of overrunsOf(bounds, writer.budgets)) {
    const payload = { name, bound: bounds[name], used: writer.budgets.used(name) };
    writer.note({ type: 'budget_overrun_observed', ...about, payload });
  }
}

function succeed(needs: AttemptNeeds, step: StepRow, { ord, results, outcome }: Completion): boolean {
  const { writer } = needs;
  const about = { node: ord, activity: step };
  const refs = results.map(({ ref }) => ref);
  writer.recordResults(ord, results);
  for (const { id: resultId, sha256, bytes, kind } of refs) {
    writer.note({ type: 'result_recorded', ...about, payload: { resultId, sha256, bytes, kind } });
  }
  const resultIds = refs.map(({ id }) => id);
  writer.note({ type: 'activity_completed', ...about, payload: { resultIds, usage: outcome.usage } });
  writer.note({ type: 'node_succeeded', ...about, payload: { resultIds } });
  writer.moveStep(step, 'succeeded', { ...over(writer), ...outcome.model });
  return settleDependents(needs, writer, ord);
}

function over({ at }: RunWriter): Partial<StepRow> {
  return { finishedAt: at, dueAt: null, leaseId: null };
}

function fail(needs: AttemptNeeds, step: StepRow, { node, outcome }: Completion): void {
  const { writer } = needs;
  const facts = { ...outcome.model };
  const { errorClass = 'internal', retryAfterMs } = outcome;
  const about = { node: step.ord, activity: step };
  if (writer.run.isCancelRequested) {
    writer.note({ type: 'node_cancelled', ...about, payload: { errorClass } });
    writer.moveStep(step, 'cancelled', { ...over(writer), ...facts, errorClass });
  } else if (errorClass === 'interrupted' && !mayRepeatUnknown(node)) {
    writer.note({ type: 'activity_uncertain', ...about, payload: { activityExecutionId: step.executionId } });
    writer.moveStep(step, 'uncertain', { ...facts, errorClass, leaseId: null });
  } else if (errorClass === 'interrupted') {
    scheduleRetry(needs, step, { reason: errorClass, delayMs: 0, facts: { ...facts, errorClass } });
  } else if (mayRetry(node, { retries: step.retries, errorClass })) {
    const retries = step.retries + 1;
    const delayMs = retryDelay(node.retryPolicy, { retry: retries, chance: chanceOf(needs.ambient), retryAfterMs });
    scheduleRetry(needs, step, { reason: errorClass, delayMs, facts: { ...facts, errorClass, retries } });
  } else {
    writer.note({ type: 'node_failed', ...about, payload: { errorClass, attempts: step.attempt } });
    writer.moveStep(step, 'failed', { ...over(writer), ...facts, errorClass });
  }
}

function scheduleRetry(
  { writer }: AttemptNeeds,
  step: StepRow,
  { reason, delayMs, facts }: { reason: StepErrorClass; delayMs: number; facts: Partial<StepRow> },
): void {
  const dueAt = writer.at + delayMs;
  const about = { node: step.ord, activity: step };
  const { eventId } = writer.note({ type: 'retry_scheduled', ...about, payload: { reason, backoffMs: delayMs } });
  writer.note({ type: 'timer_scheduled', ...about, causationId: eventId, payload: { kind: 'retry', dueAt } });
  writer.moveStep(step, 'retry_wait', { ...facts, dueAt, leaseId: null });
}

const CHANCES = 0x1_0000_0000;

function chanceOf({ randomBytes }: Ambient): number {
  return randomBytes(4).readUInt32BE() / CHANCES;
}

/** Starts due retries. Returns whether there were any. */
export function fireTimers({ writer, rows }: Pick<AttemptNeeds, 'writer' | 'rows'>): boolean {
  const due = rows.due(writer.run.key, writer.at);
  for (const step of due) {
    writer.note({ type: 'timer_fired', node: step.ord, payload: { kind: 'retry', dueAt: step.dueAt } });
    writer.moveStep(step, 'ready', { dueAt: null });
  }
  return due.length > 0;
}

export interface FoundAttempt {
  ord: number;
  node: WorkflowNode;
  lease: Lease;
}

/** A session that was about to be created when the process ended does not exist: nothing was started. */
export function markStepNotStarted(needs: AttemptNeeds, { ord, lease }: FoundAttempt): void {
  const { writer } = needs;
  const step = heldStep(needs, ord, lease);
  if (!step) return noteStale(writer, ord, lease);
  const about = { node: ord, activity: step };
  writer.note({ type: 'activity_reconciled', ...about, payload: { outcome: 'not-begun', errorClass: null } });
  const amounts = writer.budgets.release(ord) ?? {};
  writer.note({ type: 'budget_released', ...about, payload: { amounts } });
  writer.note({ type: 'capacity_released', ...about, payload: { provider: step.provider } });
  if (writer.run.isCancelRequested) {
    writer.note({ type: 'node_cancelled', ...about, payload: { errorClass: null } });
    writer.moveStep(step, 'cancelled', over(writer));
  } else writer.moveStep(step, 'ready', { attempt: step.attempt - 1, stepSessionId: null, leaseId: null });
}

/** Takes over the steps of an ended process under a new epoch, so that late reports are ignored. */
export function takeOver({ writer, ambient }: Pick<AttemptNeeds, 'writer' | 'ambient'>, step: StepRow): StepRow {
  const lease = { leaseId: ambient.newId(), leaseEpoch: step.leaseEpoch + 1 };
  const activity = { ...step, ...lease };
  writer.note({ type: 'node_recovered', node: step.ord, activity, payload: { from: step.state } });
  return step.state === 'reconciling' ? writer.changeStep(step, lease) : writer.moveStep(step, 'reconciling', lease);
}
