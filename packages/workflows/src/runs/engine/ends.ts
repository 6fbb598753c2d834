import type { DefinitionHead } from '../../definition/core.ts';
import type { GraphOfRun } from '../graph/dependents.ts';
import type { RunWriter } from '../journal/journal.ts';
import { type ResultRef, TRUST_LEVELS } from '../steps/outputs.ts';
import type { StepState } from '../steps/step-state.ts';

/** The end state of a run without steps in flight. */
export type IdleRunOutcome = 'goes-on' | 'waits' | 'over';

const CANCELLED_AT_ONCE = 1_000;
const OPEN_STATES: readonly StepState[] = ['pending', 'blocked', 'ready', 'retry_wait', 'waiting_human', 'uncertain'];

/** No step is in flight, and a cancel was requested: `goes-on` while steps remain to be cancelled. */
export function settleCancel(writer: RunWriter, total: number): IdleRunOutcome {
  let left = CANCELLED_AT_ONCE;
  const { run } = writer;
  if (run.terminated < total)
    writer.note({ type: 'checkpoint_written', payload: { status: run.status, cancelling: true } });
  for (const state of OPEN_STATES) {
    if (left > 0) left -= writer.moveMany(state, 'cancelled', left);
  }
  if (left <= 0) return 'goes-on';
  writer.note({ type: 'run_cancelled', payload: { reason: 'user' } });
  writer.moveRun('settle-cancel');
  return 'over';
}

/** No step of a running run is in flight, and none can start. `isShort`: because of the budget. */
export function settleRun(graph: GraphOfRun, writer: RunWriter, { isShort }: { isShort: boolean }): IdleRunOutcome {
  const { run } = writer;
  const failed = graph.rows.count(run.key, 'failed');
  if (run.terminated === graph.definition.totalNodes && failed === 0) {
    end(graph, writer);
    return 'over';
  }
  if (run.isPauseRequested) {
    writer.request({ isPauseRequested: false });
    writer.note({ type: 'run_paused', payload: { reason: 'user' } });
    writer.moveRun('rest');
    return 'over';
  }
  const hasReady = graph.rows.ready(run.key, 1).length > 0;
  if (graph.rows.nextDue(run.key) !== undefined || (hasReady && !isShort)) return 'waits';
  const [uncertain] = graph.rows.inState(run.key, 'uncertain', 1);
  const reason = uncertain ? `activity_uncertain:${uncertain.executionId}` : failed ? 'node_failed' : 'budget_overrun';
  writer.note({ type: 'checkpoint_written', payload: { status: 'needs_attention', reason } });
  writer.moveRun('attention', reason);
  return 'over';
}

/** All steps have ended and none failed. */
function end(graph: GraphOfRun, writer: RunWriter): void {
  const unmet = unmetAcceptance(graph);
  writer.request({ isPauseRequested: false });
  if (unmet.length) {
    const payload = { errorClass: 'acceptance_unmet', acceptance: unmet.map(({ id }) => id), evidenceResultIds: [] };
    writer.note({ type: 'run_failed', payload });
    writer.moveRun('fail', 'acceptance_unmet');
    return;
  }
  const payload = { finalResultIds: finalResults(graph), integrationCommit: null };
  writer.note({ type: 'run_succeeded', payload });
  writer.moveRun('succeed');
}

type Acceptance = DefinitionHead['acceptance'][number];

function unmetAcceptance(graph: GraphOfRun): Acceptance[] {
  return graph.definition.head.acceptance.filter((item) => item.required && !isMet(graph, item));
}

function isMet(graph: GraphOfRun, { source, evidenceKind, minTrust, predicate }: Acceptance): boolean {
  const ref = resultRefs(graph, source.nodeId).find(({ provenance }) => provenance.output === source.output);
  if (!ref || ref.kind !== evidenceKind || TRUST_LEVELS.indexOf(ref.trust) < TRUST_LEVELS.indexOf(minTrust))
    return false;
  const text = ref.summary.trim();
  switch (predicate.op) {
    case 'exists':
      return true;
    case 'boolean-equals':
      return text === String(predicate.value);
    case 'test-status':
      return text === String(predicate.value ?? 'passed');
    case 'result-kind':
      return ref.kind === predicate.value;
    case 'number-compare':
      return compares(Number(text), predicate);
  }
}

function compares(found: number, { value, comparison = 'eq' }: Acceptance['predicate']): boolean {
  const wanted = Number(value);
  switch (comparison) {
    case 'eq':
      return found === wanted;
    case 'neq':
      return found !== wanted;
    case 'lt':
      return found < wanted;
    case 'lte':
      return found <= wanted;
    case 'gt':
      return found > wanted;
    case 'gte':
      return found >= wanted;
  }
}

function resultRefs({ db, definition, run }: GraphOfRun, nodeId: string): ResultRef[] {
  return db
    .prepare<[number, number, string], string>(
      `SELECT r.ref FROM run_results r JOIN definition_nodes n ON n.definition = ? AND n.ord = r.node
       WHERE r.run = ? AND n.node_id = ? ORDER BY r.position`,
    )
    .pluck()
    .all(definition.key, run.key, nodeId)
    .map((ref) => JSON.parse(ref) as ResultRef);
}

const MAX_FINAL = 20;

/** Results of the final steps, which have no successors. */
function finalResults({ db, graphs, definition, run }: GraphOfRun): string[] {
  const downstream = graphs.downstream(definition.key);
  const of = db
    .prepare<[number, number], string>('SELECT result_id FROM run_results WHERE run = ? AND node = ? ORDER BY position')
    .pluck();
  const found: string[] = [];
  for (let ord = definition.totalNodes - 1; ord >= 0 && found.length < MAX_FINAL; ord -= 1) {
    if (downstream.of(ord).length === 0) found.push(...of.all(run.key, ord));
  }
  return found;
}
