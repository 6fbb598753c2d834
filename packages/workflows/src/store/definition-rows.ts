import type { SqliteDatabase } from '@fucina/shared';
import type { AnyHead, AnyNode, EdgeType, WorkflowEdge } from '../definition/core.ts';
import { edgeText, type Graph, hashGraphTexts } from '../definition/graph.ts';

/** Rows read at once: a connection cannot write while it iterates rows. */
const PAGE = 2_000;

/** A version as stored. Reads by page, from the start for each iteration. */
export function graphOfRows(db: SqliteDatabase, definition: number): Graph {
  return {
    head: headOfRow(db, definition),
    *nodes() {
      for (const body of bodies(db, definition)) yield JSON.parse(body) as AnyNode;
    },
    edges: () => edges(db, definition),
  };
}

/** The current hash of a version's rows: a different one means that the store was modified. */
export function hashOfRows(db: SqliteDatabase, definition: number): string {
  return hashGraphTexts(headOfRow(db, definition), edgeTexts(db, definition), bodies(db, definition));
}

function headOfRow(db: SqliteDatabase, definition: number): AnyHead {
  const head = db.prepare<[number], string>('SELECT head FROM definitions WHERE key = ?').pluck().get(definition);
  if (head === undefined) throw new Error(`no definition ${definition}`);
  return JSON.parse(head) as AnyHead;
}

function* bodies(db: SqliteDatabase, definition: number): Iterable<string> {
  const page = db
    .prepare<[number, number], string>(
      `SELECT body FROM definition_nodes WHERE definition = ? AND ord >= ? ORDER BY ord LIMIT ${PAGE}`,
    )
    .pluck();
  for (let from = 0; ; from += PAGE) {
    const rows = page.all(definition, from);
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

type EdgeRow = [id: string, fromOrd: number, toOrd: number, type: EdgeType, rules: string | null];

const NO_RULES = { condition: null, mapping: null };

function* edges(db: SqliteDatabase, definition: number): Iterable<WorkflowEdge> {
  const ids = db
    .prepare<[number], string>('SELECT node_id FROM definition_nodes WHERE definition = ? ORDER BY ord')
    .pluck()
    .all(definition);
  const page = db
    .prepare<[number, number], EdgeRow>(
      `SELECT edge_id, from_ord, to_ord, type, rules FROM definition_edges
       WHERE definition = ? AND ord >= ? ORDER BY ord LIMIT ${PAGE}`,
    )
    .raw();
  for (let first = 0; ; first += PAGE) {
    const rows = page.all(definition, first);
    for (const [id, from, to, type, rules] of rows) {
      const said = rules === null ? NO_RULES : (JSON.parse(rules) as Pick<WorkflowEdge, 'condition' | 'mapping'>);
      yield { ...said, id, from: ids[from] as string, to: ids[to] as string, type };
    }
    if (rows.length < PAGE) return;
  }
}

function* edgeTexts(db: SqliteDatabase, definition: number): Iterable<string> {
  for (const edge of edges(db, definition)) yield edgeText(edge);
}
