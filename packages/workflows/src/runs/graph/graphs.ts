import type { SqliteDatabase } from '@fucina/shared';
import type { Adjacency } from '../../definition/adjacency.ts';
import type { Condition, EdgeType, WorkflowEdge } from '../../definition/core.ts';
import { adjacencyOf } from '../../store/definitions.ts';

/** Adjacency of the running definitions, in a bounded cache. */
export interface Graphs {
  downstream(definition: number): Adjacency;
  /** Conditional edges that leave a step. */
  conditional(definition: number, ord: number): { to: number; condition: Condition }[];
  /** Incoming edges of a step, in graph order, by page; without retry edges. */
  arriving(definition: number, ord: number, after: number): ArrivingEdge[];
  /** The same from a given edge on. */
  countArriving(definition: number, ord: number, from: number): number;
}

export interface ArrivingEdge {
  ord: number;
  from: number;
  type: EdgeType;
  condition: Condition | null;
  mapping: WorkflowEdge['mapping'];
}

const MOST_NUMBERS = 8_000_000;
export const ARRIVING_PAGE = 500;

export function createGraphs(db: SqliteDatabase): Graphs {
  const kept = new Map<number, { graph: Adjacency; numbers: number }>();
  let numbers = 0;
  const sql = {
    size: db.prepare<[number], number>('SELECT length(downstream) / 4 FROM definitions WHERE key = ?').pluck(),
    conditional: db.prepare<[number, number], { to: number; rules: string }>(
      `SELECT to_ord AS "to", rules FROM definition_edges INDEXED BY definition_edges_conditional
       WHERE definition = ? AND from_ord = ? AND substr(rules, 1, 14) = '{"condition":{' AND type <> 'retry'`,
    ),
    count: db
      .prepare<[number, number, number], number>(
        `SELECT count(*) FROM definition_edges INDEXED BY definition_edges_to
         WHERE definition = ? AND to_ord = ? AND ord >= ?`,
      )
      .pluck(),
    arriving: db.prepare<
      [number, number, number, number],
      { ord: number; from: number; type: EdgeType; rules: string | null }
    >(
      `SELECT ord, from_ord AS "from", type, rules FROM definition_edges INDEXED BY definition_edges_to
       WHERE definition = ? AND to_ord = ? AND ord > ? AND type <> 'retry' ORDER BY ord LIMIT ?`,
    ),
  };
  return {
    countArriving: (definition, ord, from) => sql.count.get(definition, ord, from) ?? 0,
    downstream(definition) {
      const known = kept.get(definition);
      if (known) {
        kept.delete(definition);
        kept.set(definition, known);
        return known.graph;
      }
      const made = { graph: adjacencyOf(db, definition, 'downstream'), numbers: sql.size.get(definition) ?? 0 };
      kept.set(definition, made);
      numbers += made.numbers;
      for (const [oldest, { numbers: freed }] of kept) {
        if (numbers <= MOST_NUMBERS || oldest === definition) break;
        kept.delete(oldest);
        numbers -= freed;
      }
      return made.graph;
    },
    conditional: (definition, ord) =>
      sql.conditional
        .all(definition, ord)
        .map(({ to, rules }) => ({ to, condition: (JSON.parse(rules) as { condition: Condition }).condition })),
    arriving: (definition, ord, after) =>
      sql.arriving.all(definition, ord, after, ARRIVING_PAGE).map(({ rules, ...edge }) => ({
        ...edge,
        ...(rules
          ? (JSON.parse(rules) as Pick<ArrivingEdge, 'condition' | 'mapping'>)
          : { condition: null, mapping: null }),
      })),
  };
}
