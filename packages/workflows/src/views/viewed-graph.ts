import type { SqliteDatabase } from '@fucina/shared';
import { workflowsError } from '../errors.ts';
import type { RunState } from '../runs/run-state.ts';
import { type Definition, definitionOf, findDefinition, positionOfNode } from '../store/definitions.ts';

/** The graph of a plan, or of one of its runs. */
export type GraphRef = PlannedRef | RunRef;

export interface PlannedRef {
  workflowId: string;
  version: number;
}

export interface RunRef {
  sessionId: string;
  runId: string;
}

/** The head of every view of a run. The same facts give the same view: `factsAt` is the time (ms) of the last. */
export interface RunBase {
  runId: string;
  graphVersion: number;
  lastSeq: number;
  status: RunState;
  isPauseRequested: boolean;
  isCancelRequested: boolean;
}

export interface PlannedBase {
  runId: null;
  workflowId: string;
  version: number;
  definitionHash: string;
}

export interface RunFacts extends RunBase {
  key: number;
  terminated: number;
  attention: number;
  historyLength: number;
  lastAt: number;
}

export interface ViewedGraph {
  definition: Definition;
  /** Undefined for a plan. */
  run: RunFacts | undefined;
  base: RunBase | PlannedBase;
  factsAt: number;
}

export interface Page {
  offset: number;
  limit: number;
}

export interface PageRange {
  offset: number;
  limit: number;
  total: number;
  nextOffset: number | null;
}

interface RunRow {
  key: number;
  definition: number;
  run_id: string;
  status: RunState;
  pause_requested: number;
  cancel_requested: number;
  graph_version: number;
  last_seq: number;
  last_at: number;
  terminated: number;
  attention: number;
  history_length: number;
}

/** NOT_FOUND for a version, a run, or a run of another session. */
export function openViewedGraph(db: SqliteDatabase, ref: GraphRef): ViewedGraph {
  return 'runId' in ref ? runPlace(db, ref) : plannedPlace(db, ref);
}

export function runPlace(db: SqliteDatabase, { sessionId, runId }: RunRef): ViewedGraph & { run: RunFacts } {
  const row = db
    .prepare<[string, string], RunRow>(
      `SELECT key, definition, run_id, status, pause_requested, cancel_requested, graph_version, last_seq, last_at,
         terminated, attention, history_length
       FROM runs WHERE run_id = ? AND session_id = ?`,
    )
    .get(runId, sessionId);
  if (!row) throw workflowsError('NOT_FOUND', { reason: 'workflow-run' });
  const base: RunBase = {
    runId: row.run_id,
    graphVersion: row.graph_version,
    lastSeq: row.last_seq,
    status: row.status,
    isPauseRequested: row.pause_requested === 1,
    isCancelRequested: row.cancel_requested === 1,
  };
  const run: RunFacts = {
    ...base,
    key: row.key,
    terminated: row.terminated,
    attention: row.attention,
    historyLength: row.history_length,
    lastAt: row.last_at,
  };
  return { definition: definitionOf(db, row.definition), run, base, factsAt: row.last_at };
}

function plannedPlace(db: SqliteDatabase, { workflowId, version }: PlannedRef): ViewedGraph {
  const definition = findDefinition(db, workflowId, version);
  if (!definition) throw workflowsError('NOT_FOUND', { reason: 'workflow-version' });
  const base: PlannedBase = { runId: null, workflowId, version, definitionHash: definition.definitionHash };
  return { definition, run: undefined, base, factsAt: definition.createdAt };
}

export interface Phase {
  ord: number;
  phaseId: string;
  label: string;
  total: number;
  roles: Record<string, number>;
  kinds: Record<string, number>;
}

export function phasesOf(db: SqliteDatabase, { key }: Definition): Phase[] {
  const rows = db
    .prepare<[number], { ord: number; phaseId: string; label: string; total: number; roles: string; kinds: string }>(
      `SELECT ord, phase_id AS phaseId, label, total, roles, kinds FROM definition_phases
       WHERE definition = ? ORDER BY ord`,
    )
    .all(key);
  return rows.map((row) => ({
    ...row,
    roles: JSON.parse(row.roles) as Phase['roles'],
    kinds: JSON.parse(row.kinds) as Phase['kinds'],
  }));
}

/** NOT_FOUND for an unknown phase. */
export function phaseOf(phases: readonly Phase[], phaseId: string): Phase {
  const phase = phases.find((each) => each.phaseId === phaseId);
  if (!phase) throw workflowsError('NOT_FOUND', { reason: 'workflow-phase' });
  return phase;
}

/** NOT_FOUND for an unknown step. */
export function stepOrd(db: SqliteDatabase, { key }: Definition, nodeId: string): number {
  const ord = positionOfNode(db, key, nodeId);
  if (ord === undefined) throw workflowsError('NOT_FOUND', { reason: 'workflow-step' });
  return ord;
}

export function paged({ offset, limit }: Page, total: number): PageRange {
  const next = offset + limit;
  return { offset, limit, total, nextOffset: next < total ? next : null };
}
