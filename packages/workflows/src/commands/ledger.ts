import { createHash } from 'node:crypto';
import type { SqliteDatabase } from '@fucina/shared';
import { canonical } from '../definition/canonical.ts';
import { workflowsError } from '../errors.ts';

export type CommandType =
  | 'approve-definition'
  | 'start-run'
  | 'pause-run'
  | 'resume-run'
  | 'cancel-run'
  | 'retry-node'
  | 'steer-node'
  | 'set-node-priority'
  | 'graph-patch'
  | 'answer-human-gate';

/** A command of the user. Target fields that a command does not have are null. */
export interface Command {
  /** A UUID v4 of the client's, in any case. */
  commandId: string;
  commandType: CommandType;
  target: CommandTarget;
  payload: Readonly<Record<string, unknown>>;
}

export interface CommandTarget {
  workflowId: string;
  definitionVersion: number;
  runId?: string | null;
  nodeId?: string | null;
  requestId?: string | null;
}

/** The result of a command, also returned for every repetition. */
export interface CommandReceipt {
  schema: 'svc.workflow-command-receipt.v1';
  commandId: string;
  commandType: CommandType;
  /** 64 hexadecimal digits. */
  payloadHash: string;
  /** ISO time. */
  acceptedAt: string;
  source: 'approval-record' | 'journal-event';
  runId: string | null;
  resultingSeq: number | null;
  resultingGraphVersion: number | null;
  outcome: 'accepted';
  errorCode: null;
}

/** The hash distinguishes commands by their content, not by their id. */
export function payloadHash({ commandType, target, payload }: Command): string {
  const { workflowId, definitionVersion, runId = null, nodeId = null, requestId = null } = target;
  const asked = {
    schema: 'svc.workflow-command-dedupe.v1',
    commandType,
    target: { workflowId, definitionVersion, runId, nodeId, requestId },
    payload,
  };
  return createHash('sha256').update(canonical(asked)).digest('hex');
}

/**
 * The receipt of an already accepted command, or undefined for a new one. WORKFLOW_COMMAND_CONFLICT when its id was
 * used for something else. Call it in the transaction that stores the new receipt, before any other check.
 */
export function findReceipt(db: SqliteDatabase, command: Command): CommandReceipt | undefined {
  const kept = db
    .prepare<[string], { payload_hash: string; receipt: string }>(
      'SELECT payload_hash, receipt FROM commands WHERE command_id = ?',
    )
    .get(command.commandId.toLowerCase());
  if (!kept) return undefined;
  if (kept.payload_hash !== payloadHash(command)) throw workflowsError('WORKFLOW_COMMAND_CONFLICT');
  return JSON.parse(kept.receipt) as CommandReceipt;
}

export interface AcceptedCommand {
  /** In ms. */
  at: number;
  source: CommandReceipt['source'];
  resultingSeq?: number;
  resultingGraphVersion?: number;
  /** The id of the run that the command created, which its target cannot contain. */
  runId?: string;
}

/** Stores the result of a new command. Only inside the transaction that executes it. */
export function saveReceipt(db: SqliteDatabase, command: Command, accepted: AcceptedCommand): CommandReceipt {
  if (!db.inTransaction) throw new Error('a receipt is kept together with what it is about');
  const { workflowId, definitionVersion, runId } = command.target;
  const receipt: CommandReceipt = {
    schema: 'svc.workflow-command-receipt.v1',
    commandId: command.commandId.toLowerCase(),
    commandType: command.commandType,
    payloadHash: payloadHash(command),
    acceptedAt: new Date(accepted.at).toISOString(),
    source: accepted.source,
    runId: accepted.runId ?? runId ?? null,
    resultingSeq: accepted.resultingSeq ?? null,
    resultingGraphVersion: accepted.resultingGraphVersion ?? null,
    outcome: 'accepted',
    errorCode: null,
  };
  db.prepare(
    'INSERT INTO commands (command_id, command_type, payload_hash, workflow_id, version, receipt) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(
    receipt.commandId,
    receipt.commandType,
    receipt.payloadHash,
    workflowId,
    definitionVersion,
    JSON.stringify(receipt),
  );
  return receipt;
}
