import type { SqliteDatabase } from '@fucina/shared';
import type { ContentStore } from '../content/content-store.ts';
import { characterStart, isText } from '../content/utf8.ts';
import { nodeOf } from '../store/definitions.ts';
import { nodeIds } from './lineage.ts';
import { resultsOf, type StepResult } from './results.ts';
import { type StepRow, stepRow } from './steps.ts';
import { type RunFacts, stepOrd, type ViewedGraph } from './viewed-graph.ts';

export interface PlannedStep {
  step: StepRow;
  instructions: string;
  capabilityProfile: string;
  /** Null: the session's. */
  model: string | null;
  /** Up to 50 ids. */
  dependsOn: readonly string[];
}

export interface RunStep {
  step: StepRow;
  attempt: number;
  /** For the first 20. */
  resultIds: readonly string[];
  totalOutputs: number;
  /** In bytes. */
  outputOffset: number;
  /** Start of the next previews; null at the end. */
  nextOutputOffset: number | null;
  outputs: readonly OutputPreview[];
}

export interface OutputPreview extends StepResult {
  /** Up to 2,000 characters from `outputOffset` on; empty for binary content. */
  preview: string;
  isTruncated: boolean;
}

const SHOWN_DEPENDENCIES = 50;
const SHOWN_RESULTS = 20;
const PREVIEW_CHARACTERS = 2_000;

export function plannedStep(db: SqliteDatabase, place: ViewedGraph, nodeId: string): PlannedStep {
  const { definition } = place;
  const ord = stepOrd(db, definition, nodeId);
  const node = nodeOf(db, definition.key, ord);
  return {
    step: stepRow(db, place, ord),
    instructions: node.instructions ?? '',
    capabilityProfile: node.capabilityProfile,
    model: node.modelPolicy.model,
    dependsOn: nodeIds(db, definition.key, dependenciesOf(db, definition.key, ord)),
  };
}

function dependenciesOf(db: SqliteDatabase, definition: number, ord: number): number[] {
  return db
    .prepare<[number, number, number], number>(
      `SELECT DISTINCT from_ord FROM definition_edges WHERE definition = ? AND to_ord = ? AND type <> 'retry'
       ORDER BY from_ord LIMIT ?`,
    )
    .pluck()
    .all(definition, ord, SHOWN_DEPENDENCIES);
}

/** A step without the content of its results. */
export interface RunStepFacts {
  step: StepRow;
  attempt: number;
  totalOutputs: number;
  results: readonly StepResult[];
}

export function runStepFacts(db: SqliteDatabase, place: ViewedGraph & { run: RunFacts }, nodeId: string): RunStepFacts {
  const ord = stepOrd(db, place.definition, nodeId);
  const attempt = db
    .prepare<[number, number], number>('SELECT attempt FROM run_nodes WHERE run = ? AND ord = ?')
    .pluck()
    .get(place.run.key, ord);
  const { total, results } = resultsOf(db, { run: place.run.key, ord }, SHOWN_RESULTS);
  return { step: stepRow(db, place, ord), attempt: attempt ?? 0, totalOutputs: total, results };
}

/** Adds the previews. Throws a plain Error when the bytes of a result are damaged. */
export async function withPreviews(content: ContentStore, facts: RunStepFacts, outputOffset: number): Promise<RunStep> {
  const { results, ...known } = facts;
  const outputs: OutputPreview[] = [];
  let next: number | null = null;
  for (const result of results) {
    const shown = isText(result.contentType) ? previewOf(await content.get(result.sha256), outputOffset) : NOT_SHOWN;
    outputs.push({ ...result, preview: shown.text, isTruncated: shown.end !== null });
    // The smallest: continuing from there skips no part of any result.
    if (shown.end !== null) next = next === null ? shown.end : Math.min(next, shown.end);
  }
  return {
    ...known,
    resultIds: results.map(({ resultId }) => resultId),
    outputOffset,
    nextOutputOffset: next,
    outputs,
  };
}

const NOT_SHOWN = { text: '', end: null };

function previewOf(bytes: Buffer, offset: number): { text: string; end: number | null } {
  const start = characterStart(bytes, offset);
  // A character has at most four bytes.
  const window = bytes.subarray(start, characterStart(bytes, start + PREVIEW_CHARACTERS * 4));
  const text = [...window.toString('utf8')].slice(0, PREVIEW_CHARACTERS).join('');
  const end = start + Buffer.byteLength(text);
  return { text, end: end < bytes.length ? end : null };
}
