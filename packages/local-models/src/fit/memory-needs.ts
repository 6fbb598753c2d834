import type { ModelHeader } from './header.ts';

/** What a model takes of the memory while it answers, in bytes. */
export interface MemoryNeeds {
  weights: number;
  /** Keys and values of the whole context. */
  cache: number;
  /** What one step of the calculation holds. */
  compute: number;
  /** The engine's process itself. */
  process: number;
}

/** The engine works through a prompt so many tokens at a time, and keeps keys and values in 16 bits. */
const BATCH = 512;
const CACHE_BYTES = 2;
const FLOAT_BYTES = 4;
const CELLS = 256;
const PROCESS_BYTES = 96 * 1024 * 1024;

/** Null for a model whose cache cannot be told from its header. */
export function memoryNeeds(header: ModelHeader, weightBytes: number, contextTokens: number): MemoryNeeds | null {
  const { cacheElements, window, vocabulary, embedding, feedForward } = header;
  if (!cacheElements) return null;
  const cells = rounded(contextTokens);
  const windowCells = window ? Math.min(cells, rounded(window.tokens + BATCH)) : cells;
  const cache = cacheElements.reduce(
    (sum, elements, layer) => sum + elements * CACHE_BYTES * (window?.layers[layer] ? windowCells : cells),
    0,
  );
  const batch = Math.min(BATCH, cells);
  // Two moments hold the most: a layer, with the mask of what each token may look at, and the choice among all words.
  const layer = batch * (2 * cells + FLOAT_BYTES * (4 * Math.max(feedForward, embedding) + embedding));
  const choice = batch * FLOAT_BYTES * (vocabulary + 2 * embedding);
  return { weights: weightBytes, cache, compute: Math.max(layer, choice), process: PROCESS_BYTES };
}

export function totalBytes({ weights, cache, compute, process }: MemoryNeeds): number {
  return Math.round(weights + cache + compute + process);
}

/**
 * What a file of this size takes before its header is known, by what models of that size have: half a byte for each
 * parameter; a cache that grows with the square root of the parameters, 128 KiB a token at eight thousand million.
 */
export function estimatedBytes(fileBytes: number, contextTokens: number): number {
  const parameters = fileBytes / 0.58;
  const perToken = 131_072 * Math.sqrt(parameters / 8e9);
  const compute = BATCH * (2 * contextTokens + FLOAT_BYTES * 150_000);
  return Math.round(fileBytes + perToken * contextTokens + compute + PROCESS_BYTES);
}

function rounded(tokens: number): number {
  return Math.ceil(tokens / CELLS) * CELLS;
}
