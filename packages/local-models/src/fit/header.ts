import { isAppError, moduleBeside, runInWorker, WorkerError } from '@fucina/shared';
import { localModelsError } from '../errors.ts';

/** What the header of a model's file says. Sizes in units of the model; null where it does not say. */
export interface ModelHeader {
  version: number;
  architecture: string;
  /** In tokens. */
  trainedTokens: number;
  layers: number;
  embedding: number;
  vocabulary: number;
  feedForward: number;
  /** Keys and values of one token, of each layer, in elements; null for a kind of attention that is not counted so. */
  cacheElements: number[] | null;
  /** Layers that look back only so far: their window in tokens, and which they are. */
  window: { tokens: number; layers: boolean[] } | null;
  hasTemplate: boolean;
  /** What its template does with a conversation, seen by writing one; null when that failed, or nobody looked. */
  template: { tools: boolean; toolCalls: boolean; systemRole: boolean } | null;
}

export type HeaderAnswer = { header: ModelHeader } | { problem: 'unreadable' | 'invalid' };

const WORKER = { timeoutMs: 20_000, memoryMiB: 512 };
const entry = moduleBeside(import.meta.url, 'header-worker');

/**
 * Reads the beginning of a file that anybody may have made, in a thread of its own.
 * MODEL_HEADER_UNREADABLE when the file cannot be read, MODEL_HEADER_INVALID for anything but a header as it should be.
 */
export async function readHeader(path: string, looksAtTemplate: boolean): Promise<ModelHeader> {
  try {
    const answer = await runInWorker<HeaderAnswer>(entry, { path, looksAtTemplate }, WORKER);
    if ('header' in answer) return answer.header;
    throw localModelsError(answer.problem === 'unreadable' ? 'MODEL_HEADER_UNREADABLE' : 'MODEL_HEADER_INVALID');
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    if (!(cause instanceof WorkerError)) throw cause;
    throw localModelsError('MODEL_HEADER_INVALID', { reason: cause.problem, cause });
  }
}
