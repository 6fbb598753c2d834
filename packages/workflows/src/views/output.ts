import type { SqliteDatabase } from '@fucina/shared';
import type { ContentStore } from '../content/content-store.ts';
import { characterStart, countCharacters, isText } from '../content/utf8.ts';
import { workflowsError } from '../errors.ts';
import { resultOf, resultsOf, type StepResult } from './results.ts';
import { type RunFacts, stepOrd, type ViewedGraph } from './viewed-graph.ts';

export interface OutputText extends StepResult {
  totalCharacters: number;
  /** In bytes, moved back to the start of a character. */
  offset: number;
  shownCharacters: number;
  /** Null for binary content: it is available raw. */
  content: string | null;
}

export type Output =
  | { kind: 'text'; text: OutputText }
  | { kind: 'index'; total: number; results: readonly StepResult[] };

export interface OutputOptions {
  nodeId: string;
  /** Absent: the only result, or the index when there are several. */
  resultId?: string;
  /** In bytes. */
  offset: number;
  /** In bytes; absent: all. */
  limit?: number;
}

/** Bytes as they were stored, and their type. */
export interface RawOutput {
  bytes: Buffer;
  contentType: string;
  resultId: string;
}

/** A description of the results, or the raw bytes of one named result. */
export type OutputQuery = Omit<OutputOptions, 'offset'> & { offset?: number; format: 'json' | 'raw' };

/** QUERY_INVALID for a range, or when no result is named. */
export function wholeResult({ nodeId, resultId, offset, limit }: Omit<OutputQuery, 'format'>): {
  nodeId: string;
  resultId: string;
} {
  if (resultId === undefined || offset !== undefined || limit !== undefined) {
    throw workflowsError('QUERY_INVALID', { reason: 'raw-is-one-whole-result' });
  }
  return { nodeId, resultId };
}

const INDEX_LENGTH = 1_000;

/** The result that a request means, by the rows only. NOT_FOUND when there is no such step or result. */
export function chooseOutput(
  db: SqliteDatabase,
  { definition, run }: ViewedGraph & { run: RunFacts },
  { nodeId, resultId }: Pick<OutputOptions, 'nodeId' | 'resultId'>,
): StepResult | { total: number; results: readonly StepResult[] } {
  const key = { run: run.key, ord: stepOrd(db, definition, nodeId) };
  if (resultId !== undefined) {
    const result = resultOf(db, key, resultId);
    if (!result) throw workflowsError('NOT_FOUND', { reason: 'workflow-result' });
    return result;
  }
  const { total, results } = resultsOf(db, key, INDEX_LENGTH);
  const only = results[0];
  if (!only) throw workflowsError('NOT_FOUND', { reason: 'workflow-result' });
  return total === 1 ? only : { total, results };
}

/** Throws a plain Error when the bytes are damaged. */
export async function readOutput(
  content: ContentStore,
  chosen: ReturnType<typeof chooseOutput>,
  { offset, limit }: Pick<OutputOptions, 'offset' | 'limit'>,
): Promise<Output> {
  if ('results' in chosen) return { kind: 'index', ...chosen };
  const bytes = await content.get(chosen.sha256);
  if (!isText(chosen.contentType)) {
    return { kind: 'text', text: { ...chosen, totalCharacters: 0, offset: 0, shownCharacters: 0, content: null } };
  }
  const start = characterStart(bytes, offset);
  const end = limit === undefined ? bytes.length : characterStart(bytes, start + limit);
  const shown = bytes.subarray(start, end);
  return {
    kind: 'text',
    text: {
      ...chosen,
      totalCharacters: countCharacters(bytes),
      offset: start,
      shownCharacters: countCharacters(shown),
      content: shown.toString('utf8'),
    },
  };
}
