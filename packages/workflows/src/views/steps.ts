import type { SqliteDatabase } from '@fucina/shared';
import type { WorkflowNode } from '../definition/core.ts';
import { needsAttention, type StepState } from '../runs/steps/step-state.ts';
import type { Definition } from '../store/definitions.ts';
import { type Page, type PageRange, paged, phaseOf, phasesOf, type ViewedGraph } from './viewed-graph.ts';

/** One step as a page of steps shows it. Times in ms. */
export interface StepRow {
  nodeId: string;
  phaseId: string;
  label: string;
  kind: string;
  role: string;
  state: StepState | 'planned';
  priority: number;
  updatedAt: number | null;
  dependencyCount: number;
  childCount: number;
  attentionCount: 0 | 1;
  /** For a run only. */
  work?: StepWork;
  /** For a plan only. */
  plan?: StepPlan;
}

export interface StepWork {
  startedAt: number | null;
  finishedAt: number | null;
  /** Null while it runs. */
  durationMs: number | null;
  stepSessionId: string | null;
  effectiveModel: { provider: string; model: string } | null;
}

export interface StepPlan {
  /** Null: the session's. */
  model: string | null;
  /** The first non-empty line of the instructions, up to 140 characters. */
  taskPreview: string;
}

export interface StepPage extends PageRange {
  phaseSource: Definition['phaseSource'];
  phaseId: string;
  sort?: 'state';
  items: readonly StepRow[];
}

interface NodeColumns {
  ord: number;
  nodeId: string;
  phaseId: string;
  label: string;
  kind: string;
  role: string;
  priority: number;
  dependencyCount: number;
  childCount: number;
}

interface WorkColumns extends NodeColumns {
  state: StepState;
  updatedAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  stepSessionId: string | null;
  provider: string | null;
  model: string | null;
}

// CROSS JOIN fixes the join order: without statistics the planner would scan all steps.
const NODE = `d.ord, d.node_id AS nodeId, p.phase_id AS phaseId, d.label, d.kind, d.role,
  d.dependencies AS dependencyCount, d.children AS childCount`;
const PHASE = 'CROSS JOIN definition_phases p ON p.definition = d.definition AND p.ord = d.phase';
const WORK = `r.priority, r.state, r.updated_at AS updatedAt, r.started_at AS startedAt, r.finished_at AS finishedAt,
  r.step_session_id AS stepSessionId, r.provider, r.model`;
const DEFINED = 'CROSS JOIN definition_nodes d ON d.definition = :definition AND d.ord = r.ord';

/** NOT_FOUND for an unknown phase. Sorted by state: steps that need attention first. */
export function stepsOf(
  db: SqliteDatabase,
  place: ViewedGraph,
  { phaseId, page, sort }: { phaseId: string; page: Page; sort?: 'state' },
): StepPage {
  const { definition, run } = place;
  const phase = phaseOf(phasesOf(db, definition), phaseId);
  const within = { definition: definition.key, phase: phase.ord, ...page };
  const items = run ? workRows(db, { ...within, run: run.key }, sort) : planRows(db, within);
  return { phaseSource: definition.phaseSource, phaseId, ...(sort && { sort }), ...paged(page, phase.total), items };
}

interface Within extends Page {
  definition: number;
  phase: number;
}

function planRows(db: SqliteDatabase, within: Within): StepRow[] {
  return db
    .prepare<[Within], NodeColumns & { body: string }>(
      `SELECT ${NODE}, d.priority, d.body FROM definition_nodes d INDEXED BY definition_nodes_by_phase ${PHASE}
       WHERE d.definition = :definition AND d.phase = :phase ORDER BY d.ord LIMIT :limit OFFSET :offset`,
    )
    .all(within)
    .map(planRow);
}

function workRows(db: SqliteDatabase, within: Within & { run: number }, sort: 'state' | undefined): StepRow[] {
  const chosen = sort
    ? `SELECT ord FROM run_nodes WHERE run = :run AND phase = :phase ORDER BY rank, ord LIMIT :limit OFFSET :offset`
    : `SELECT ord FROM definition_nodes INDEXED BY definition_nodes_by_phase
       WHERE definition = :definition AND phase = :phase ORDER BY ord LIMIT :limit OFFSET :offset`;
  return db
    .prepare<[Within & { run: number }], WorkColumns>(
      `SELECT ${NODE}, ${WORK} FROM (${chosen}) c CROSS JOIN run_nodes r ON r.run = :run AND r.ord = c.ord ${DEFINED} ${PHASE}
       ORDER BY ${sort ? 'r.rank, ' : ''}r.ord`,
    )
    .all(within)
    .map(workRow);
}

/** One step by its position. */
export function stepRow(db: SqliteDatabase, { definition, run }: ViewedGraph, ord: number): StepRow {
  const row = run
    ? db
        .prepare<[{ definition: number; run: number; ord: number }], WorkColumns>(
          `SELECT ${NODE}, ${WORK} FROM run_nodes r ${DEFINED} ${PHASE} WHERE r.run = :run AND r.ord = :ord`,
        )
        .get({ definition: definition.key, run: run.key, ord })
    : db
        .prepare<[{ definition: number; ord: number }], NodeColumns & { body: string }>(
          `SELECT ${NODE}, d.priority, d.body FROM definition_nodes d ${PHASE} WHERE d.definition = :definition AND d.ord = :ord`,
        )
        .get({ definition: definition.key, ord });
  if (!row) throw new Error(`no step ${ord}`);
  return 'state' in row ? workRow(row) : planRow(row);
}

/** Steps of a run with a fact after `seq`, earliest change first, at most `limit`. */
export function stepsChangedSince(
  db: SqliteDatabase,
  { definition, run }: { definition: number; run: number },
  { seq, limit }: { seq: number; limit: number },
): StepRow[] {
  return db
    .prepare<[{ definition: number; run: number; seq: number; limit: number }], WorkColumns>(
      `SELECT ${NODE}, ${WORK} FROM run_nodes r ${DEFINED} ${PHASE}
       WHERE r.run = :run AND r.changed_seq > :seq AND r.changed_seq > 0 ORDER BY r.changed_seq, r.ord LIMIT :limit`,
    )
    .all({ definition, run, seq, limit })
    .map(workRow);
}

function workRow(row: WorkColumns): StepRow {
  const { startedAt, finishedAt, provider, model } = row;
  return {
    ...common(row),
    state: row.state,
    updatedAt: row.updatedAt,
    attentionCount: needsAttention(row.state) ? 1 : 0,
    work: {
      startedAt,
      finishedAt,
      durationMs: startedAt !== null && finishedAt !== null ? Math.max(0, finishedAt - startedAt) : null,
      stepSessionId: row.stepSessionId,
      effectiveModel: provider !== null && model !== null ? { provider, model } : null,
    },
  };
}

function planRow(row: NodeColumns & { body: string }): StepRow {
  const { modelPolicy, instructions } = JSON.parse(row.body) as WorkflowNode;
  return {
    ...common(row),
    state: 'planned',
    updatedAt: null,
    attentionCount: 0,
    plan: { model: modelPolicy.model, taskPreview: firstLine(instructions ?? '') },
  };
}

function common({ nodeId, phaseId, label, kind, role, priority, dependencyCount, childCount }: NodeColumns) {
  return { nodeId, phaseId, label, kind, role, priority, dependencyCount, childCount };
}

const PREVIEW_CHARACTERS = 140;

export function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return [...line.trim()].slice(0, PREVIEW_CHARACTERS).join('');
}
