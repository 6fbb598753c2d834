import type { Ambient, SqliteDatabase } from '@fucina/shared';
import { type Command, findReceipt, payloadHash, saveReceipt } from '../commands/ledger.ts';
import { BUDGET_KEYS } from '../definition/core.ts';
import { workflowsError } from '../errors.ts';
import { type Definition, findDefinition } from '../store/definitions.ts';
import type { Journal, Transaction } from './journal/journal.ts';
import type { RunsNeeds } from './needs.ts';
import type { StartResult, StartRunRequest } from './orders.ts';
import { assertRunnable } from './runnable.ts';
import { rankOf } from './steps/step-state.ts';

interface StartNeeds extends Pick<RunsNeeds, 'sessionExists'> {
  ambient: Ambient;
  journal: Journal;
}

/** One transaction: the checks in order, the run and its steps, the first fact, the receipt. */
export function startRun({ ambient, journal, sessionExists }: StartNeeds, order: StartRunRequest): StartResult {
  const { workflowId, version, definitionHash } = order;
  const command: Command = {
    commandId: order.commandId,
    commandType: 'start-run',
    target: { workflowId, definitionVersion: version },
    payload: { definitionHash },
  };
  return journal.write((tx) => {
    const known = findReceipt(tx.db, command);
    const answer = { workflowId, version, definitionHash };
    if (known) return { ...answer, runId: known.runId ?? '', receipt: known, isReplay: true };
    const definition = findDefinition(tx.db, workflowId, version);
    if (!definition || !sessionExists(definition.sessionId)) throw workflowsError('WORKFLOW_PROPOSAL_NOT_FOUND');
    assertStartable(tx.db, definition, definitionHash);
    const runId = ambient.newId();
    createRun(tx, definition, { runId, command });
    const receipt = saveReceipt(tx.db, command, {
      at: tx.at,
      source: 'journal-event',
      runId,
      resultingSeq: 1,
      resultingGraphVersion: 1,
    });
    return { ...answer, runId, receipt, isReplay: false };
  });
}

function assertStartable(db: SqliteDatabase, definition: Definition, definitionHash: string): void {
  const { workflowId, version, key } = definition;
  if (definition.definitionHash !== definitionHash) throw workflowsError('WORKFLOW_DEFINITION_HASH_MISMATCH');
  const later = db
    .prepare<[string, number], { total: number; approved: number }>(
      `SELECT count(*) AS total, count(a.definition) AS approved
       FROM definitions d LEFT JOIN approvals a ON a.definition = d.key WHERE d.workflow_id = ? AND d.version > ?`,
    )
    .get(workflowId, version);
  if (!has(db, 'SELECT 1 FROM approvals WHERE definition = ?', key)) {
    throw workflowsError('WORKFLOW_DEFINITION_NOT_APPROVED');
  }
  if (later?.approved) throw workflowsError('WORKFLOW_VERSION_SUPERSEDED');
  if (later?.total) throw workflowsError('WORKFLOW_VERSION_NOT_LATEST');
  if (has(db, 'SELECT 1 FROM runs WHERE definition = ?', key)) throw workflowsError('WORKFLOW_ALREADY_STARTED');
  assertRunnable(db, definition);
}

function has(db: SqliteDatabase, sql: string, key: number): boolean {
  return db.prepare(sql).get(key) !== undefined;
}

/** Steps with predecessors are `blocked` from the start; the others are `pending` until the run starts. */
function createRun(tx: Transaction, definition: Definition, { runId, command }: { runId: string; command: Command }) {
  const { db, at } = tx;
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO runs (run_id, definition, session_id, status, last_at, created_at)
       VALUES (?, ?, ?, 'created', ?, ?)`,
    )
    .run(runId, definition.key, definition.sessionId, at, at);
  const run = Number(lastInsertRowid);
  db.prepare(
    `INSERT INTO run_nodes (run, ord, phase, state, rank, priority, waits_for, changed_seq, updated_at)
     SELECT @run, ord, phase, iif(dependencies = 0, 'pending', 'blocked'), @rank, priority, dependencies,
       iif(dependencies = 0, 0, 1), iif(dependencies = 0, NULL, @at)
     FROM definition_nodes WHERE definition = @definition ORDER BY ord`,
  ).run({ run, definition: definition.key, rank: rankOf('pending'), at });
  const budget = db.prepare('INSERT INTO run_budgets (run, name) VALUES (?, ?)');
  for (const name of BUDGET_KEYS) budget.run(run, name);
  const writer = tx.run(run);
  const { commandId, commandType } = command;
  writer.note({
    type: 'run_created',
    command: { commandId, commandType, payloadHash: payloadHash(command) },
    payload: {
      workflowId: definition.workflowId,
      definitionVersion: definition.version,
      definitionHash: definition.definitionHash,
      rootSessionId: definition.sessionId,
      workspaceBaselineId: null,
      workspaceBaselineHash: null,
    },
  });
  writer.noteHistory(noteFirstStates(db, { run, definition: definition.key, at }));
}

function noteFirstStates(db: SqliteDatabase, facts: { run: number; definition: number; at: number }): number {
  const { run, at } = facts;
  db.prepare(`INSERT INTO run_history (run, position, seq, at, node, state) VALUES (?, 0, 1, ?, NULL, 'created')`).run(
    run,
    at,
  );
  const { changes } = db
    .prepare(
      `INSERT INTO run_history (run, position, seq, at, node, state)
       SELECT @run, row_number() OVER (ORDER BY ord), 1, @at, ord, 'blocked'
       FROM definition_nodes WHERE definition = @definition AND dependencies > 0 ORDER BY ord`,
    )
    .run(facts);
  return changes + 1;
}
