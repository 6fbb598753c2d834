import type { SqliteDatabase } from '@fucina/shared';
import type { Condition } from '../../definition/core.ts';
import { positionOfNode } from '../../store/definitions.ts';
import type { RunWriter } from '../journal/journal.ts';
import type { Rows, RunDefinition, RunRow, StepRow } from '../journal/rows.ts';
import { outputValue } from '../steps/outputs.ts';
import { conditionHolds } from './conditions.ts';
import { ARRIVING_PAGE, type ArrivingEdge, type Graphs } from './graphs.ts';

export interface GraphOfRun {
  db: SqliteDatabase;
  rows: Rows;
  graphs: Graphs;
  definition: RunDefinition;
  run: Pick<RunRow, 'key' | 'runId'>;
}

/**
 * Settles the outgoing edges of a step that succeeded or was skipped: a step with no other unsettled edge becomes
 * ready, or is skipped itself if an edge to it was not taken. For `merge` edges one taken edge is enough. Iterative.
 * Returns whether any step became ready.
 */
export function settleDependents(needs: GraphOfRun, writer: RunWriter, ord: number): boolean {
  const { graphs, definition } = needs;
  const downstream = graphs.downstream(definition.key);
  const open = [{ ord, isSkipped: false }];
  let isAnyReady = false;
  for (let next = open.pop(); next; next = open.pop()) {
    const notTaken = next.isSkipped ? undefined : edgesNotTaken(needs, next.ord);
    for (const target of downstream.of(next.ord)) {
      const step = writer.settleEdge(target, notTaken !== undefined && !takeOne(notTaken, target));
      if (step.waitsFor > 0 || (step.state !== 'blocked' && step.state !== 'pending')) continue;
      if (isReached(needs, step)) {
        writer.moveStep(step, 'ready');
        isAnyReady = true;
      } else {
        writer.note({ type: 'node_skipped', node: target, payload: { reason: 'edge-not-taken' } });
        writer.moveStep(step, 'skipped', { finishedAt: writer.at });
        open.push({ ord: target, isSkipped: true });
      }
    }
  }
  return isAnyReady;
}

/** By target: how many of the outgoing edges are not taken. */
function edgesNotTaken(needs: GraphOfRun, ord: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const { to, condition } of needs.graphs.conditional(needs.definition.key, ord)) {
    if (!isMet(needs, condition)) found.set(to, (found.get(to) ?? 0) + 1);
  }
  return found;
}

function takeOne(counts: Map<number, number>, target: number): boolean {
  const left = counts.get(target) ?? 0;
  if (left > 0) counts.set(target, left - 1);
  return left > 0;
}

function isMet({ db, definition, run }: GraphOfRun, condition: Condition): boolean {
  const { source } = condition;
  if (source.scope === 'run-field') return conditionHolds(condition, runField(definition, run.runId, source.name));
  const node = positionOfNode(db, definition.key, source.nodeId);
  const found = node === undefined ? undefined : outputValue(db, { run: run.key, node, name: source.name });
  return conditionHolds(condition, found);
}

function runField(definition: RunDefinition, runId: string, name: string): { value: unknown } | undefined {
  const { title, objective } = definition.head;
  const { workflowId, version } = definition;
  const fields: Record<string, unknown> = { title, objective, workflowId, version, runId };
  return Object.hasOwn(fields, name) ? { value: fields[name] } : undefined;
}

/** Whether a step with only settled edges is to run. */
function isReached(needs: GraphOfRun, step: StepRow): boolean {
  if (step.skips === 0) return true;
  let isMerged = false;
  for (const edge of arrivingEdges(needs, step.ord)) {
    const taken = isEdgeTaken(needs, edge);
    if (edge.type !== 'merge' && !taken) return false;
    if (edge.type === 'merge' && taken) isMerged = true;
  }
  return isMerged;
}

/** Whether an edge with a settled source is taken. */
export function isEdgeTaken(needs: GraphOfRun, { from, condition }: ArrivingEdge): boolean {
  return needs.rows.stateOf(needs.run.key, from) === 'succeeded' && (condition === null || isMet(needs, condition));
}

export function* arrivingEdges(
  { graphs, definition }: Pick<GraphOfRun, 'graphs' | 'definition'>,
  ord: number,
): Generator<ArrivingEdge> {
  for (let after = -1; ; ) {
    const page = graphs.arriving(definition.key, ord, after);
    yield* page;
    if (page.length < ARRIVING_PAGE) return;
    after = page.at(-1)?.ord ?? after;
  }
}
