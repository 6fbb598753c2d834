import type { SqliteDatabase } from '@fucina/shared';
import type { RunState } from '../runs/run-state.ts';
import { type Page, type PageRange, paged } from './viewed-graph.ts';

export interface RunList extends PageRange {
  sessionId: string;
  items: readonly RunItem[];
}

/** Times in ms. */
export interface RunItem {
  runId: string;
  createdAt: number;
  workflowId: string;
  version: number;
  status: RunState;
  title: string;
  startedAt: number | null;
  finishedAt: number | null;
  durationMs: number | null;
  steps: { total: number; terminal: number; failed: number; active: number };
  /** A model id; `mixed`, or `unknown` before the first step. */
  model: string;
}

export interface RunFilter {
  status?: RunState;
  /** Text in title or id, ignoring case. */
  text?: string;
}

interface RunRow {
  run_id: string;
  created_at: number;
  workflow_id: string;
  version: number;
  status: RunState;
  title: string;
  started_at: number | null;
  finished_at: number | null;
  total: number;
  terminated: number;
  failed: number;
  active: number;
  first_model: string | null;
  last_model: string | null;
}

const MATCHES = `r.session_id = :sessionId AND (:status IS NULL OR r.status = :status)
  AND (:text IS NULL OR instr(lower_case(d.title), :text) OR instr(r.run_id, :text))`;

/** The runs of a session, newest first. Counts use small indexes, not a scan of the steps. */
export function runsOf(
  db: SqliteDatabase,
  sessionId: string,
  { page, ...filter }: RunFilter & { page: Page },
): RunList {
  const asked = { sessionId, status: filter.status ?? null, text: filter.text?.toLowerCase() ?? null };
  const total =
    db
      .prepare<[typeof asked], number>(
        `SELECT count(*) FROM runs r JOIN definitions d ON d.key = r.definition WHERE ${MATCHES}`,
      )
      .pluck()
      .get(asked) ?? 0;
  const rows = db
    .prepare<[typeof asked & Page], RunRow>(
      `SELECT r.run_id, r.created_at, d.workflow_id, d.version, r.status, d.title, r.started_at, r.finished_at,
         d.total_nodes AS total, r.terminated,
         (SELECT count(*) FROM run_nodes n WHERE n.run = r.key AND n.state = 'failed') AS failed,
         (SELECT count(*) FROM run_nodes n WHERE n.run = r.key
            AND n.state IN ('leased', 'running', 'reconciling', 'uncertain') AND n.state <> 'uncertain') AS active,
         (SELECT min(n.model) FROM run_nodes n WHERE n.run = r.key AND n.model IS NOT NULL) AS first_model,
         (SELECT max(n.model) FROM run_nodes n WHERE n.run = r.key AND n.model IS NOT NULL) AS last_model
       FROM runs r JOIN definitions d ON d.key = r.definition WHERE ${MATCHES}
       ORDER BY r.created_at DESC, r.key DESC LIMIT :limit OFFSET :offset`,
    )
    .all({ ...asked, ...page });
  return { sessionId, ...paged(page, total), items: rows.map(itemOf) };
}

function itemOf(row: RunRow): RunItem {
  const { started_at: startedAt, finished_at: finishedAt, first_model: first, last_model: last } = row;
  return {
    runId: row.run_id,
    createdAt: row.created_at,
    workflowId: row.workflow_id,
    version: row.version,
    status: row.status,
    title: row.title,
    startedAt,
    finishedAt,
    durationMs: startedAt !== null && finishedAt !== null ? Math.max(0, finishedAt - startedAt) : null,
    steps: { total: row.total, terminal: row.terminated, failed: row.failed, active: row.active },
    model: first === null ? 'unknown' : first === last ? first : 'mixed',
  };
}
