import type { SqliteDatabase } from '@fucina/shared';
import { type Page, type PageRange, paged, phaseOf, phasesOf, type ViewedGraph } from './viewed-graph.ts';

export interface EdgePage extends PageRange {
  /** Only when phases were requested: without repetitions, in graph order. */
  phaseIds?: readonly string[];
  items: readonly GraphEdge[];
}

export interface GraphEdge {
  edgeId: string;
  fromNodeId: string;
  toNodeId: string;
  type: string;
}

const ITEM = `e.edge_id AS edgeId, f.node_id AS fromNodeId, t.node_id AS toNodeId, e.type AS type`;
const ENDS = `JOIN definition_nodes f ON f.definition = e.definition AND f.ord = e.from_ord
   JOIN definition_nodes t ON t.definition = e.definition AND t.ord = e.to_ord`;

/** With phases: only edges within them. NOT_FOUND for an unknown phase. */
export function edgesOf(
  db: SqliteDatabase,
  place: ViewedGraph,
  { page, phaseIds }: { page: Page; phaseIds: readonly string[] },
): EdgePage {
  return phaseIds.length === 0 ? allEdges(db, place, page) : edgesWithin(db, place, { page, phaseIds });
}

function allEdges(db: SqliteDatabase, { definition }: ViewedGraph, page: Page): EdgePage {
  // `ord` is dense: a page starts at its offset, without counting.
  const items = db
    .prepare<[number, number, number], GraphEdge>(
      `SELECT ${ITEM} FROM definition_edges e ${ENDS}
       WHERE e.definition = ? AND e.ord >= ? ORDER BY e.ord LIMIT ?`,
    )
    .all(definition.key, page.offset, page.limit);
  return { ...paged(page, definition.totalEdges), items };
}

function edgesWithin(
  db: SqliteDatabase,
  { definition }: ViewedGraph,
  { page, phaseIds }: { page: Page; phaseIds: readonly string[] },
): EdgePage {
  const phases = phasesOf(db, definition);
  const asked = new Set(phaseIds.map((phaseId) => phaseOf(phases, phaseId).ord));
  const ords = JSON.stringify([...asked]);
  const total =
    db
      .prepare<[number, string, string], number>(
        `SELECT coalesce(sum(total), 0) FROM definition_links WHERE definition = ?
         AND from_phase IN (SELECT value FROM json_each(?)) AND to_phase IN (SELECT value FROM json_each(?))`,
      )
      .pluck()
      .get(definition.key, ords, ords) ?? 0;
  const items = db
    .prepare<[number, string, string, number, number], GraphEdge>(
      `SELECT ${ITEM} FROM (
         SELECT * FROM definition_edges WHERE definition = ?
         AND from_phase IN (SELECT value FROM json_each(?)) AND to_phase IN (SELECT value FROM json_each(?))
         ORDER BY ord LIMIT ? OFFSET ?
       ) e ${ENDS} ORDER BY e.ord`,
    )
    .all(definition.key, ords, ords, page.limit, page.offset);
  const names = phases.filter(({ ord }) => asked.has(ord)).map(({ phaseId }) => phaseId);
  return { phaseIds: names, ...paged(page, total), items };
}
