import type { SqliteDatabase } from '@fucina/shared';
import type { AnyHead } from '../../definition/core.ts';
import type { Definition } from '../../store/definitions.ts';
import type { RunState } from '../run-state.ts';
import type { StepState } from '../steps/step-state.ts';

export interface RunRow {
  key: number;
  runId: string;
  definition: number;
  sessionId: string;
  status: RunState;
  isPauseRequested: boolean;
  isCancelRequested: boolean;
  /** Why it needs attention or failed. */
  reason: string | null;
  graphVersion: number;
  lastSeq: number;
  terminated: number;
  attention: number;
  historyLength: number;
  outcomeSeq: number;
  startedAt: number | null;
  finishedAt: number | null;
}

/** The fields of a definition that its run always needs. */
export type RunDefinition = Pick<Definition, 'key' | 'workflowId' | 'version' | 'title' | 'head' | 'totalNodes'>;

/** The fields of a step that the engine changes. */
export interface StepFacts {
  waitsFor: number;
  skips: number;
  attempt: number;
  retries: number;
  startedAt: number | null;
  finishedAt: number | null;
  dueAt: number | null;
  leaseEpoch: number;
  leaseId: string | null;
  executionId: string | null;
  stepSessionId: string | null;
  provider: string | null;
  model: string | null;
  errorClass: string | null;
}

export interface StepRow extends StepFacts {
  ord: number;
  state: StepState;
  priority: number;
}

interface StoredRun extends Omit<RunRow, 'isPauseRequested' | 'isCancelRequested'> {
  pauseRequested: number;
  cancelRequested: number;
}

const RUN = `key, run_id AS runId, definition, session_id AS sessionId, status, pause_requested AS pauseRequested,
  cancel_requested AS cancelRequested, reason, graph_version AS graphVersion, last_seq AS lastSeq, terminated, attention,
  history_length AS historyLength, outcome_seq AS outcomeSeq, started_at AS startedAt, finished_at AS finishedAt`;

const STEP = `ord, state, priority, waits_for AS waitsFor, skips, attempt, retries, started_at AS startedAt,
  finished_at AS finishedAt, due_at AS dueAt, lease_epoch AS leaseEpoch, lease_id AS leaseId,
  execution_id AS executionId, step_session_id AS stepSessionId, provider, model, error_class AS errorClass`;

/** Indexed queries of runs and their steps. */
export interface Rows {
  run(key: number): RunRow | undefined;
  runById(runId: string): RunRow | undefined;
  definition(key: number): RunDefinition;
  /** Keys of runs that are neither succeeded, failed nor cancelled. */
  unfinished(): number[];
  step(run: number, ord: number): StepRow | undefined;
  stateOf(run: number, ord: number): StepState | undefined;
  /** The next ready steps, by priority. */
  ready(run: number, limit: number): StepRow[];
  /** Steps whose wait has ended, and the time of the next. */
  due(run: number, now: number): StepRow[];
  nextDue(run: number): number | undefined;
  /** Leased, running, reconciling and uncertain. */
  active(run: number): StepRow[];
  inState(run: number, state: StepState, limit: number): StepRow[];
  count(run: number, state: StepState): number;
}

const PAGE = 500;

export function createRows(db: SqliteDatabase): Rows {
  const sql = {
    run: db.prepare<[number], StoredRun>(`SELECT ${RUN} FROM runs WHERE key = ?`),
    runById: db.prepare<[string], StoredRun>(`SELECT ${RUN} FROM runs WHERE run_id = ?`),
    definition: db.prepare<[number], Omit<RunDefinition, 'head'> & { head: string }>(
      `SELECT key, workflow_id AS workflowId, version, title, head, total_nodes AS totalNodes
       FROM definitions WHERE key = ?`,
    ),
    unfinished: db
      .prepare<[], number>(`SELECT key FROM runs WHERE status NOT IN ('succeeded', 'failed', 'cancelled') ORDER BY key`)
      .pluck(),
    step: db.prepare<[number, number], StepRow>(`SELECT ${STEP} FROM run_nodes WHERE run = ? AND ord = ?`),
    stateOf: db.prepare<[number, number], StepState>('SELECT state FROM run_nodes WHERE run = ? AND ord = ?').pluck(),
    ready: db.prepare<[number, number], StepRow>(
      `SELECT ${STEP} FROM run_nodes WHERE run = ? AND state = 'ready' ORDER BY priority DESC, ord LIMIT ?`,
    ),
    due: db.prepare<[number, number, number], StepRow>(
      `SELECT ${STEP} FROM run_nodes WHERE run = ? AND state = 'retry_wait' AND due_at <= ? ORDER BY due_at LIMIT ?`,
    ),
    nextDue: db
      .prepare<[number], number | null>(`SELECT min(due_at) FROM run_nodes WHERE run = ? AND state = 'retry_wait'`)
      .pluck(),
    active: db.prepare<[number], StepRow>(
      `SELECT ${STEP} FROM run_nodes INDEXED BY run_nodes_active
       WHERE run = ? AND state IN ('leased', 'running', 'reconciling', 'uncertain') ORDER BY ord`,
    ),
    // By phase and state: a few index lookups, never a scan of the steps.
    inState: db.prepare<[number, string, number, number], StepRow>(
      `SELECT ${STEP} FROM run_nodes WHERE run = ? AND state = ?
         AND phase IN (SELECT ord FROM definition_phases WHERE definition = (SELECT definition FROM runs WHERE key = ?))
       LIMIT ?`,
    ),
    count: db
      .prepare<[number, string, number], number>(
        `SELECT count(*) FROM run_nodes WHERE run = ? AND state = ?
           AND phase IN (SELECT ord FROM definition_phases WHERE definition = (SELECT definition FROM runs WHERE key = ?))`,
      )
      .pluck(),
  };
  return {
    run: (key) => asRun(sql.run.get(key)),
    runById: (runId) => asRun(sql.runById.get(runId)),
    definition(key) {
      const row = sql.definition.get(key);
      if (!row) throw new Error(`no definition ${key}`);
      return { ...row, head: JSON.parse(row.head) as AnyHead };
    },
    unfinished: () => sql.unfinished.all(),
    step: (run, ord) => sql.step.get(run, ord),
    stateOf: (run, ord) => sql.stateOf.get(run, ord),
    ready: (run, limit) => sql.ready.all(run, limit),
    due: (run, now) => sql.due.all(run, now, PAGE),
    nextDue: (run) => sql.nextDue.get(run) ?? undefined,
    active: (run) => sql.active.all(run),
    inState: (run, state, limit) => sql.inState.all(run, state, run, limit),
    count: (run, state) => sql.count.get(run, state, run) ?? 0,
  };
}

function asRun(row: StoredRun | undefined): RunRow | undefined {
  if (!row) return undefined;
  const { pauseRequested, cancelRequested, ...run } = row;
  return { ...run, isPauseRequested: pauseRequested === 1, isCancelRequested: cancelRequested === 1 };
}
