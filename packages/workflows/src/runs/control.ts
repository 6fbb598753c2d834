import {
  type Command,
  type CommandReceipt,
  type CommandType,
  findReceipt,
  payloadHash,
  saveReceipt,
} from '../commands/ledger.ts';
import type { Adjacency } from '../definition/adjacency.ts';
import { workflowsError } from '../errors.ts';
import type { JournalFact } from './journal/facts.ts';
import type { Journal, RunWriter, Transaction } from './journal/journal.ts';
import type { Rows, RunRow, StepRow } from './journal/rows.ts';
import type { ControlRunRequest, RetryPreview, RunRef } from './orders.ts';
import { assertCommandAllowed, type RunCommand } from './run-state.ts';

const COMMAND_TYPES: Record<RunCommand, CommandType> = {
  pause: 'pause-run',
  resume: 'resume-run',
  cancel: 'cancel-run',
  retry: 'retry-node',
};

export interface ControlledRun {
  run: RunRow;
  receipt: CommandReceipt;
  isReplay: boolean;
}

/**
 * One transaction: returns the receipt of a repeated command; otherwise checks the run's state, executes the command
 * and stores its receipt.
 */
export function controlRun(journal: Journal, asked: RunCommand, order: ControlRunRequest): ControlledRun {
  return journal.write((tx) => {
    const run = runOfSession(tx.rows, order);
    const { workflowId, version: definitionVersion } = tx.rows.definition(run.definition);
    const command: Command = {
      commandId: order.commandId,
      commandType: COMMAND_TYPES[asked],
      target: { workflowId, definitionVersion, runId: run.runId },
      payload: {},
    };
    const known = findReceipt(tx.db, command);
    if (known) return { run, receipt: known, isReplay: true };
    assertCommandAllowed(asked, { ...run, hasFailedSteps: failedSteps(tx.rows, run.key, 1).length > 0 });
    const writer = tx.run(run.key);
    act(tx, writer, { asked, command });
    const receipt = saveReceipt(tx.db, command, {
      at: tx.at,
      source: 'journal-event',
      resultingSeq: writer.run.lastSeq,
      resultingGraphVersion: writer.run.graphVersion,
    });
    return { run: { ...writer.run }, receipt, isReplay: false };
  });
}

/** NOT_FOUND for an unknown run, or one of another session. */
export function runOfSession(rows: Rows, { sessionId, runId }: RunRef): RunRow {
  const run = rows.runById(runId);
  if (run?.sessionId !== sessionId) throw workflowsError('NOT_FOUND', { reason: 'workflow-run' });
  return run;
}

function act({ rows }: Transaction, writer: RunWriter, { asked, command }: { asked: RunCommand; command: Command }) {
  const { commandId, commandType } = command;
  const about = { command: { commandId, commandType, payloadHash: payloadHash(command) } };
  const payload = { reason: 'user' };
  switch (asked) {
    case 'pause':
      writer.note({ type: 'run_pause_requested', ...about, payload });
      return writer.request({ isPauseRequested: true });
    case 'resume':
      writer.note({ type: 'run_resumed', ...about, payload });
      return writer.moveRun('resume');
    case 'cancel':
      writer.note({ type: 'run_cancel_requested', ...about, payload });
      return writer.request({ isCancelRequested: true, isPauseRequested: false });
    case 'retry':
      return retry(rows, writer, about);
  }
}

const RETRIED = 100_000;

function retry(rows: Rows, writer: RunWriter, about: Pick<JournalFact, 'command'>): void {
  writer.note({ type: 'run_resumed', ...about, payload: { reason: 'user' } });
  writer.moveRun('retry');
  for (const step of failedSteps(rows, writer.run.key, RETRIED)) {
    const payload = { reason: 'user_retry', backoffMs: 0 };
    writer.note({ type: 'retry_scheduled', node: step.ord, ...about, payload });
    writer.moveStep(step, 'ready', {
      attempt: 0,
      retries: 0,
      startedAt: null,
      finishedAt: null,
      executionId: null,
      stepSessionId: null,
      errorClass: null,
    });
  }
}

/** Includes steps with an unknown outcome: the user who retries has decided about them. */
function failedSteps(rows: Rows, run: number, limit: number): StepRow[] {
  const failed = rows.inState(run, 'failed', limit);
  return failed.length < limit ? [...failed, ...rows.inState(run, 'uncertain', limit - failed.length)] : failed;
}

/** All steps reachable from these, without themselves, in graph order. */
function behind(graph: Adjacency, ords: readonly number[]): number[] {
  const seen = new Uint8Array(graph.total);
  for (const ord of ords) seen[ord] = 1;
  const open = [...ords];
  const found: number[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const neighbour of graph.of(next)) {
      if (seen[neighbour]) continue;
      seen[neighbour] = 1;
      found.push(neighbour);
      open.push(neighbour);
    }
  }
  return found.sort((a, b) => a - b);
}

export interface PreviewNeeds {
  rows: Rows;
  downstream(definition: number): Adjacency;
  /** Ids and labels of steps, by their positions. */
  names(definition: number, ords: Iterable<number>): Map<number, { nodeId: string; label: string }>;
}

/** The effects of a retry now. */
export function previewRetry({ rows, downstream, names }: PreviewNeeds, ref: RunRef): RetryPreview {
  const run = runOfSession(rows, ref);
  const failed = failedSteps(rows, run.key, RETRIED).sort((a, b) => a.ord - b.ord);
  const ords = failed.map(({ ord }) => ord);
  const dependents = behind(downstream(run.definition), ords);
  const named = names(run.definition, [...ords, ...dependents]);
  const nameOf = (ord: number) => named.get(ord) ?? { nodeId: '', label: '' };
  return {
    runId: run.runId,
    failed: failed.map(({ ord, errorClass, attempt }) => ({
      ...nameOf(ord),
      errorClass: errorClass ?? 'unknown',
      attempt,
    })),
    dependents: dependents.map((ord) => nameOf(ord).nodeId),
    kept: rows.count(run.key, 'succeeded') + rows.count(run.key, 'skipped'),
  };
}
