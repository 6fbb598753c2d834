import type { SqliteDatabase } from '@fucina/shared';
import { isTerminal, needsAttention, type StepState } from '../runs/steps/step-state.ts';
import type { Definition } from '../store/definitions.ts';
import { type Phase, phasesOf, type ViewedGraph } from './viewed-graph.ts';

export interface GraphOverview {
  phaseSource: Definition['phaseSource'];
  total: number;
  terminated: number;
  attention: number;
  groups: readonly PhaseOverview[];
  connections: readonly PhaseConnection[];
}

export interface PhaseOverview {
  phaseId: string;
  label: string;
  order: number;
  total: number;
  terminated: number;
  attention: number;
  /** By state; only states that occur. */
  counts: Record<string, number>;
  /** 0 to 1; null for a plan. */
  progress: number | null;
  roles: Record<string, number>;
  kinds: Record<string, number>;
}

export interface PhaseConnection {
  fromPhaseId: string;
  toPhaseId: string;
  total: number;
  types: Record<string, number>;
}

export function overviewOf(db: SqliteDatabase, { definition, run }: ViewedGraph): GraphOverview {
  const phases = phasesOf(db, definition);
  const counts = run && countStates(db, run.key);
  return {
    phaseSource: definition.phaseSource,
    total: definition.totalNodes,
    terminated: run?.terminated ?? 0,
    attention: run?.attention ?? 0,
    groups: phases.map((phase) => groupOf(phase, counts && (counts.get(phase.ord) ?? {}))),
    connections: connectionsOf(db, definition, phases),
  };
}

function groupOf({ ord, ...phase }: Phase, counts: Record<string, number> | undefined): PhaseOverview {
  const sum = (holds: (state: StepState) => boolean): number =>
    Object.entries(counts ?? {}).reduce((all, [state, count]) => all + (holds(state as StepState) ? count : 0), 0);
  const terminated = sum(isTerminal);
  return {
    phaseId: phase.phaseId,
    label: phase.label,
    order: ord,
    total: phase.total,
    terminated,
    attention: sum(needsAttention),
    counts: counts ?? { planned: phase.total },
    progress: counts ? terminated / phase.total : null,
    roles: phase.roles,
    kinds: phase.kinds,
  };
}

function countStates(db: SqliteDatabase, run: number): Map<number, Record<string, number>> {
  const rows = db
    .prepare<[number], { phase: number; state: string; count: number }>(
      'SELECT phase, state, count(*) AS count FROM run_nodes WHERE run = ? GROUP BY phase, state ORDER BY phase, state',
    )
    .all(run);
  const byPhase = new Map<number, Record<string, number>>();
  for (const { phase, state, count } of rows) {
    const counts = byPhase.get(phase) ?? {};
    counts[state] = count;
    byPhase.set(phase, counts);
  }
  return byPhase;
}

function connectionsOf(db: SqliteDatabase, { key }: Definition, phases: readonly Phase[]): PhaseConnection[] {
  const nameOf = (ord: number): string => phases[ord]?.phaseId ?? '';
  const rows = db
    .prepare<[number], { from_phase: number; to_phase: number; total: number; types: string }>(
      `SELECT from_phase, to_phase, total, types FROM definition_links
       WHERE definition = ? AND from_phase <> to_phase ORDER BY from_phase, to_phase`,
    )
    .all(key);
  return rows.map((row) => ({
    fromPhaseId: nameOf(row.from_phase),
    toPhaseId: nameOf(row.to_phase),
    total: row.total,
    types: JSON.parse(row.types) as Record<string, number>,
  }));
}
