import type { ModelHeader } from './header.ts';

/** Memory that a model needs while it answers, in bytes. */
export interface MemoryNeeds {
  weights: number;
  /** Keys and values of the whole context. */
  cache: number;
  /** Buffers of one computation step. */
  compute: number;
  /** The engine process itself. */
  process: number;
}

/** The engine processes a prompt in batches of this many tokens, and stores keys and values in 16 bits. */
const BATCH = 512;
const CACHE_BYTES = 2;
const FLOAT_BYTES = 4;
const CELLS = 256;
const PROCESS_BYTES = 96 * 1024 * 1024;

/** Null for a model whose cache size cannot be computed from its header. */
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
  // Peak memory is in one of two steps: a layer with its attention mask, or the logits over the vocabulary.
  const layer = batch * (2 * cells + FLOAT_BYTES * (4 * Math.max(feedForward, embedding) + embedding));
  const choice = batch * FLOAT_BYTES * (vocabulary + 2 * embedding);
  return { weights: weightBytes, cache, compute: Math.max(layer, choice), process: PROCESS_BYTES };
}

export function totalBytes({ weights, cache, compute, process }: MemoryNeeds): number {
  return Math.round(weights + cache + compute + process);
}

/**
 * Memory for a file of this size before its header is known, from typical models: half a byte per parameter, and a
 * cache that grows with the square root of the parameters, 128 KiB per token at eight billion.
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
