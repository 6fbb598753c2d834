import { isAppError, moduleBeside, runInWorker, WorkerError } from '@fucina/shared';
import { localModelsError } from '../errors.ts';

/** The header of a model's file. Sizes in the model's units; null where it states nothing. */
export interface ModelHeader {
  version: number;
  architecture: string;
  /** In tokens. */
  trainedTokens: number;
  layers: number;
  embedding: number;
  vocabulary: number;
  feedForward: number;
  /** Keys and values of one token per layer, in elements; null for other kinds of attention. */
  cacheElements: number[] | null;
  /** Layers with sliding-window attention: their window in tokens, and which they are. */
  window: { tokens: number; layers: boolean[] } | null;
  hasTemplate: boolean;
  /** Features of its chat template, found by rendering a conversation; null when that failed or was skipped. */
  template: { tools: boolean; toolCalls: boolean; systemRole: boolean } | null;
}

export type HeaderAnswer = { header: ModelHeader } | { problem: 'unreadable' | 'invalid' };

const WORKER = { timeoutMs: 20_000, memoryMiB: 512 };
const entry = moduleBeside(import.meta.url, 'header-worker');

/**
 * Reads the header of an untrusted file, in its own thread. `library`: the URL of the engine that renders its template;
 * without one the template is skipped. MODEL_HEADER_UNREADABLE when the file cannot be read, MODEL_HEADER_INVALID for an
 * invalid header.
 */
export async function readHeader(path: string, library: string | undefined): Promise<ModelHeader> {
  try {
    const answer = await runInWorker<HeaderAnswer>(entry, { path, library }, WORKER);
    if ('header' in answer) return answer.header;
    throw localModelsError(answer.problem === 'unreadable' ? 'MODEL_HEADER_UNREADABLE' : 'MODEL_HEADER_INVALID');
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    if (!(cause instanceof WorkerError)) throw cause;
    throw localModelsError('MODEL_HEADER_INVALID', { reason: cause.problem, cause });
  }
}
