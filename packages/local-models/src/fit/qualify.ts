import { type Ambient, lineBatches, OutboundError, type OutboundHttp } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { type ModelFact, observedFact } from './fit.ts';

export interface Qualified {
  modelId: string;
  state: 'qualified';
  backend: ModelFact<string>;
  build: ModelFact<string>;
  contextTokens: number;
  performance: { ttftMs: ModelFact<number>; tokensPerSecond: ModelFact<number> };
  durationMs: number;
  /** Wall time in ms. */
  measuredAt: number;
}

export interface ProbeTarget {
  /** Base address, without `/chat/completions`. */
  endpoint: string;
  key: string;
  modelId: string;
}

export interface Generation {
  ttftMs: number;
  /** Null for an answer of one token. */
  tokensPerSecond: number | null;
  durationMs: number;
}

const QUESTION = 'In one short sentence: what is a forge?';
const MAX_TOKENS = 48;
const LIMITS = { connectMs: 5_000, firstResponseMs: 120_000, idleMs: 120_000, totalMs: 300_000, bodyBytes: 8_388_608 };

/**
 * Measures one short, real answer. PROBE_GENERATION_FAILED when it did not start, PROBE_GENERATION_INCOMPLETE without
 * an end or text.
 */
export async function generateOnce(
  { ambient, http }: { ambient: Ambient; http: OutboundHttp },
  { endpoint, key, modelId }: ProbeTarget,
): Promise<Generation> {
  const messages = [{ role: 'user', content: QUESTION }];
  const startedAt = ambient.monotonic();
  const elapsed = (): number => ambient.monotonic() - startedAt;
  let firstMs: number | undefined;
  let tokens = 0;
  let [hasBegun, isWhole] = [false, false];
  try {
    const answer = await http.send({
      url: `${endpoint}/chat/completions`,
      method: 'POST',
      policy: 'configured',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: modelId,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: MAX_TOKENS,
      }),
      limits: LIMITS,
    });
    if (answer.status !== 200) {
      answer.discard();
      throw localModelsError('PROBE_GENERATION_FAILED', { params: { status: answer.status } });
    }
    hasBegun = true;
    for await (const lines of lineBatches(answer.body, endpoint)) {
      for (const line of lines) {
        const chunk = readChunk(line);
        if (chunk.hasWords) firstMs ??= elapsed();
        if (chunk.isEnd) isWhole = true;
        tokens = chunk.tokens ?? tokens + (chunk.hasWords ? 1 : 0);
      }
    }
  } catch (cause) {
    if (!(cause instanceof OutboundError) && !(cause instanceof SyntaxError)) throw cause;
    throw localModelsError(hasBegun ? 'PROBE_GENERATION_INCOMPLETE' : 'PROBE_GENERATION_FAILED', { cause });
  }
  const durationMs = elapsed();
  if (!isWhole || firstMs === undefined) throw localModelsError('PROBE_GENERATION_INCOMPLETE');
  const seconds = (durationMs - firstMs) / 1000;
  const tokensPerSecond = tokens > 1 && seconds > 0 ? (tokens - 1) / seconds : null;
  return { ttftMs: firstMs, tokensPerSecond, durationMs };
}

interface Chunk {
  hasWords: boolean;
  isEnd: boolean;
  tokens: number | undefined;
}

function readChunk(line: string): Chunk {
  const data = line.startsWith('data:') ? line.slice(5).trim() : '';
  if (data === '' || data === '[DONE]') return { hasWords: false, isEnd: false, tokens: undefined };
  const { choices, usage, error } = JSON.parse(data) as {
    choices?: { delta?: { content?: string; reasoning_content?: string }; finish_reason?: string | null }[];
    usage?: { completion_tokens?: number } | null;
    error?: unknown;
  };
  if (error) throw localModelsError('PROBE_GENERATION_FAILED');
  const choice = choices?.[0];
  return {
    hasWords: Boolean(choice?.delta?.content || choice?.delta?.reasoning_content),
    isEnd: Boolean(choice?.finish_reason),
    tokens: usage?.completion_tokens,
  };
}

/** Rounded for display. */
export function qualifiedModel(
  generation: Generation,
  facts: { modelId: string; backend: string; build: string | null; contextTokens: number; measuredAt: number },
): Qualified {
  const { ttftMs, tokensPerSecond, durationMs } = generation;
  const { modelId, backend, build, contextTokens, measuredAt } = facts;
  return {
    modelId,
    state: 'qualified',
    backend: observedFact(backend),
    build: observedFact(build),
    contextTokens,
    performance: {
      ttftMs: observedFact(Math.round(ttftMs)),
      tokensPerSecond: observedFact(tokensPerSecond === null ? null : Math.round(tokensPerSecond * 100) / 100),
    },
    durationMs: Math.round(durationMs),
    measuredAt,
  };
}
