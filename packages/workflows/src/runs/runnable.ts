import type { SqliteDatabase } from '@fucina/shared';
import { type EdgeType, isDependency } from '../definition/core.ts';
import { workflowsError } from '../errors.ts';
import type { Definition } from '../store/definitions.ts';

/** Edges that this release supports. */
const EDGES: ReadonlySet<string> = new Set<EdgeType>(['control', 'data', 'review', 'merge']);
const ENGINE_SCHEMA = 1;
const MAX_SUBJECTS = 20;

/**
 * WORKFLOW_START_UNSUPPORTED unless every step is a read-only agent, and every edge of a supported kind. Uses the
 * statistics of the definition; steps are read only to name the unsupported ones.
 */
export function assertRunnable(db: SqliteDatabase, definition: Definition): void {
  const { key, head } = definition;
  const { minEngineSchemaVersion, requiredFeatures } = head.engineCompatibility;
  if (minEngineSchemaVersion > ENGINE_SCHEMA) throw unsupported('engine-too-old', [String(minEngineSchemaVersion)]);
  if (requiredFeatures.length) throw unsupported('feature-unknown', requiredFeatures);
  if (counted(db, 'SELECT kinds FROM definition_phases WHERE definition = ?', key).some((kind) => kind !== 'agent')) {
    throw unsupported('step-kind', subjects(db, key, `kind <> 'agent'`));
  }
  if (definition.writers !== 0) {
    const writers = subjects(db, key, `json_extract(body, '$.capabilityProfile') <> 'read'`);
    if (writers.length) throw unsupported('capability', writers);
  }
  const types = counted(db, 'SELECT types FROM definition_links WHERE definition = ?', key);
  const unknown = types.filter((type) => !EDGES.has(type));
  if (!unknown.length) return;
  // A retry edge points backwards: without a loop step it has no meaning.
  throw unsupported(unknown.some((type) => isDependency(type as EdgeType)) ? 'edge-type' : 'retry-edge', unknown);
}

function counted(db: SqliteDatabase, sql: string, definition: number): string[] {
  const rows = db.prepare<[number], string>(sql).pluck().all(definition);
  return [...new Set(rows.flatMap((counts) => Object.keys(JSON.parse(counts) as Record<string, number>)))];
}

function subjects(db: SqliteDatabase, definition: number, condition: string): string[] {
  return db
    .prepare<[number, number], string>(
      `SELECT node_id FROM definition_nodes WHERE definition = ? AND ${condition} ORDER BY ord LIMIT ?`,
    )
    .pluck()
    .all(definition, MAX_SUBJECTS);
}

function unsupported(reason: string, found: readonly string[]): Error {
  return workflowsError('WORKFLOW_START_UNSUPPORTED', {
    reason,
    params: { soggetti: found.slice(0, MAX_SUBJECTS).join(', ') },
  });
}
