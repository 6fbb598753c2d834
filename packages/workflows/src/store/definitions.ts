import type { SqliteDatabase } from '@fucina/shared';
import { type Adjacency, readAdjacency } from '../definition/adjacency.ts';
import { type AnyHead, type AnyNode, LEGACY_PHASE, type WorkflowEdge, type WorkflowNode } from '../definition/core.ts';

export interface Proposal {
  initiatingSessionId: string;
  /** ISO time. */
  createdAt: string;
  plannerModel: string | null;
  sessionModel: string | null;
}

export interface Problem {
  code: string;
  /** For a user, in English. */
  message: string;
  /** Ids of the steps, edges or fields concerned. */
  subjects: readonly string[];
}

export interface Preflight {
  errors: readonly Problem[];
  warnings: readonly Problem[];
  estimates: Record<string, number | null>;
}

/** A proposed version, immutable. */
export interface Definition {
  key: number;
  workflowId: string;
  version: number;
  sessionId: string;
  definitionHash: string;
  title: string;
  head: AnyHead;
  proposal: Proposal;
  preflight: Preflight;
  phaseSource: 'explicit' | 'legacy-unassigned';
  totalNodes: number;
  totalEdges: number;
  /** Steps that may change files; null if unknown. */
  writers: number | null;
  /** In ms. */
  createdAt: number;
}

interface DefinitionRow {
  key: number;
  workflow_id: string;
  version: number;
  session_id: string;
  definition_hash: string;
  title: string;
  head: string;
  proposal: string;
  preflight: string;
  phase_source: Definition['phaseSource'];
  total_nodes: number;
  total_edges: number;
  writers: number | null;
  created_at: number;
}

const COLUMNS = `key, workflow_id, version, session_id, definition_hash, title, head, proposal, preflight, phase_source,
  total_nodes, total_edges, writers, created_at`;

export function findDefinition(db: SqliteDatabase, workflowId: string, version: number): Definition | undefined {
  const row = db
    .prepare<[string, number], DefinitionRow>(
      `SELECT ${COLUMNS} FROM definitions WHERE workflow_id = ? AND version = ?`,
    )
    .get(workflowId, version);
  return row && asDefinition(row);
}

export function definitionOf(db: SqliteDatabase, key: number): Definition {
  const row = db.prepare<[number], DefinitionRow>(`SELECT ${COLUMNS} FROM definitions WHERE key = ?`).get(key);
  if (!row) throw new Error(`no definition ${key}`);
  return asDefinition(row);
}

export function nodeOf(db: SqliteDatabase, definition: number, ord: number): WorkflowNode {
  const body = db
    .prepare<[number, number], string>('SELECT body FROM definition_nodes WHERE definition = ? AND ord = ?')
    .pluck()
    .get(definition, ord);
  if (body === undefined) throw new Error(`no step ${ord} in definition ${definition}`);
  return { phaseId: LEGACY_PHASE, ...(JSON.parse(body) as AnyNode) };
}

/** The position of a step, or undefined for an id the definition does not have. */
export function positionOfNode(db: SqliteDatabase, definition: number, nodeId: string): number | undefined {
  return db
    .prepare<[number, string], number>('SELECT ord FROM definition_nodes WHERE definition = ? AND node_id = ?')
    .pluck()
    .get(definition, nodeId);
}

export type Direction = 'upstream' | 'downstream';

/** Without the retry edges. */
export function adjacencyOf(db: SqliteDatabase, definition: number, direction: Direction): Adjacency {
  const row = db
    .prepare<[number], { total: number; packed: Buffer }>(
      `SELECT total_nodes AS total, ${direction} AS packed FROM definitions WHERE key = ?`,
    )
    .get(definition);
  if (!row) throw new Error(`no definition ${definition}`);
  return readAdjacency(row.total, row.packed);
}

export interface ArrivingEdge {
  ord: number;
  fromOrd: number;
  type: WorkflowEdge['type'];
  condition: WorkflowEdge['condition'];
  mapping: WorkflowEdge['mapping'];
}

/** The edges that arrive at a step, in graph order, retry edges included. */
export function arrivingEdges(db: SqliteDatabase, definition: number, ord: number): ArrivingEdge[] {
  const rows = db
    .prepare<[number, number], { ord: number; fromOrd: number; type: WorkflowEdge['type']; rules: string | null }>(
      `SELECT ord, from_ord AS fromOrd, type, rules FROM definition_edges
       WHERE definition = ? AND to_ord = ? ORDER BY ord`,
    )
    .all(definition, ord);
  return rows.map(({ rules, ...edge }) => ({
    ...edge,
    ...(rules
      ? (JSON.parse(rules) as Pick<WorkflowEdge, 'condition' | 'mapping'>)
      : { condition: null, mapping: null }),
  }));
}

function asDefinition(row: DefinitionRow): Definition {
  return {
    key: row.key,
    workflowId: row.workflow_id,
    version: row.version,
    sessionId: row.session_id,
    definitionHash: row.definition_hash,
    title: row.title,
    head: JSON.parse(row.head) as AnyHead,
    proposal: JSON.parse(row.proposal) as Proposal,
    preflight: JSON.parse(row.preflight) as Preflight,
    phaseSource: row.phase_source,
    totalNodes: row.total_nodes,
    totalEdges: row.total_edges,
    writers: row.writers,
    createdAt: row.created_at,
  };
}
