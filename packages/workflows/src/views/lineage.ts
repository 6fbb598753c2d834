import type { SqliteDatabase } from '@fucina/shared';
import { reachable } from '../definition/adjacency.ts';
import { adjacencyOf, type Direction } from '../store/definitions.ts';
import { type Page, type PageRange, paged, stepOrd, type ViewedGraph } from './viewed-graph.ts';

export interface Lineage extends PageRange {
  nodeId: string;
  direction: Direction;
  /** Ids of steps in graph order. */
  items: readonly string[];
}

/** All steps before or after one, without itself and retry edges. NOT_FOUND for an unknown step. */
export function lineageOf(
  db: SqliteDatabase,
  { definition }: ViewedGraph,
  { nodeId, direction, page }: { nodeId: string; direction: Direction; page: Page },
): Lineage {
  const found = reachable(adjacencyOf(db, definition.key, direction), stepOrd(db, definition, nodeId));
  const shown = [...found.subarray(page.offset, page.offset + page.limit)];
  return { nodeId, direction, ...paged(page, found.length), items: nodeIds(db, definition.key, shown) };
}

/** The ids of steps by their positions, in graph order. */
export function nodeIds(db: SqliteDatabase, definition: number, ords: readonly number[]): string[] {
  return db
    .prepare<[number, string], string>(
      `SELECT node_id FROM definition_nodes WHERE definition = ? AND ord IN (SELECT value FROM json_each(?)) ORDER BY ord`,
    )
    .pluck()
    .all(definition, JSON.stringify(ords));
}
