import type { SqliteDatabase } from '@fucina/shared';
import { type Page, type PageRange, paged, type RunFacts, type ViewedGraph } from './viewed-graph.ts';

export interface History extends PageRange {
  items: readonly HistoryItem[];
}

/** A state that was entered; `at` in ms. */
export type HistoryItem =
  | { seq: number; at: number; scope: 'run'; state: string }
  | { seq: number; at: number; scope: 'node'; nodeId: string; phaseId: string; state: string };

/** The sequence of states of a run and of its steps. */
export function historyOf(
  db: SqliteDatabase,
  { definition, run }: ViewedGraph & { run: RunFacts },
  page: Page,
): History {
  const rows = db
    .prepare<
      [number, number, number, number],
      { seq: number; at: number; state: string; nodeId: string | null; phaseId: string | null }
    >(
      `SELECT h.seq, h.at, h.state, d.node_id AS nodeId, p.phase_id AS phaseId FROM run_history h
       LEFT JOIN definition_nodes d ON d.definition = ? AND d.ord = h.node
       LEFT JOIN definition_phases p ON p.definition = d.definition AND p.ord = d.phase
       WHERE h.run = ? AND h.position >= ? ORDER BY h.position LIMIT ?`,
    )
    .all(definition.key, run.key, page.offset, page.limit);
  const items = rows.map(
    ({ nodeId, phaseId, seq, at, state }): HistoryItem =>
      nodeId !== null && phaseId !== null
        ? { seq, at, scope: 'node', nodeId, phaseId, state }
        : { seq, at, scope: 'run', state },
  );
  return { ...paged(page, run.historyLength), items };
}
