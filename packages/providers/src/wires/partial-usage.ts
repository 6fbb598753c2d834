import type { LanguageModelV3Usage } from '@ai-sdk/provider';

type Counts = Pick<LanguageModelV3Usage, 'inputTokens' | 'outputTokens'>;

/** What a chunk of a stream, as the vendor sent it, tells of the usage; undefined when nothing. Pure. */
export type ReadUsage = (chunk: unknown, before: Counts | undefined) => Counts | undefined;

/** Counted when a message starts, the output again near its end. */
export const anthropicUsage: ReadUsage = (chunk, before) => {
  const usage = field(field(chunk, 'message'), 'usage');
  const output = count(field(chunk, 'usage'), 'output_tokens');
  if (usage === undefined) return before && output !== undefined ? counts(before.inputTokens, output) : undefined;
  const cacheRead = count(usage, 'cache_read_input_tokens');
  const cacheWrite = count(usage, 'cache_creation_input_tokens');
  const total = sum(count(usage, 'input_tokens'), cacheRead, cacheWrite);
  return counts({ total, noCache: undefined, cacheRead, cacheWrite }, count(usage, 'output_tokens'));
};

/** Counted up to each chunk. */
export const geminiUsage: ReadUsage = (chunk) => {
  const usage = field(chunk, 'usageMetadata');
  const total = count(usage, 'promptTokenCount');
  if (total === undefined) return undefined;
  const cacheRead = count(usage, 'cachedContentTokenCount');
  const output = sum(count(usage, 'candidatesTokenCount'), count(usage, 'thoughtsTokenCount'));
  return counts({ total, noCache: undefined, cacheRead, cacheWrite: undefined }, output);
};

/** Counted in an event that ends the response, also when it failed. */
export const responsesUsage: ReadUsage = (chunk) => {
  const usage = field(field(chunk, 'response'), 'usage');
  const total = count(usage, 'input_tokens');
  if (total === undefined) return undefined;
  const cacheRead = count(field(usage, 'input_tokens_details'), 'cached_tokens');
  return counts({ total, noCache: undefined, cacheRead, cacheWrite: undefined }, count(usage, 'output_tokens'));
};

function counts(inputTokens: Counts['inputTokens'], output: number | undefined): Counts {
  return { inputTokens, outputTokens: { total: output, text: undefined, reasoning: undefined } };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function count(value: unknown, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
}

function sum(...parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, part) => total + part, 0);
}
