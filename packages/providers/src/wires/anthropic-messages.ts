import { createAnthropic } from '@ai-sdk/anthropic';
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import { defaultEffort, isAdaptive } from '../models/default-effort.ts';
import { type Effort, effortSent } from '../table/reasoning.ts';
import { atPlatform } from './claude-platform.ts';
import { anthropicUsage } from './partial-usage.ts';
import { createSdkFetch, PLACEHOLDER_KEY } from './sdk-fetch.ts';
import { type PromptStyle, sdkPrompt, sdkTools } from './sdk-prompt.ts';
import { sdkStream } from './sdk-stream.ts';
import type { Wire, WireCall } from './wire.ts';

/** The interface requires a number, and refuses more than the model's own: the early ones by their names. */
const DEFAULT_MAX_TOKENS = 32_000;
const EARLY_LIMITS: readonly (readonly [RegExp, number])[] = [
  [/claude-3-5/, 8_192],
  [/claude-(3-(opus|sonnet|haiku)|2|instant)/, 4_096],
];

function defaultMaxTokens(model: string): number {
  return EARLY_LIMITS.find(([name]) => name.test(model))?.[1] ?? DEFAULT_MAX_TOKENS;
}

const STYLE: PromptStyle = {
  vendorName: 'anthropic',
  cacheMark: (call) => ({
    anthropic: { cacheControl: { type: 'ephemeral', ...(isForHour(call) && { ttl: '1h' }) } },
  }),
  isWhole: ({ signature, redactedData }) => typeof signature === 'string' || typeof redactedData === 'string',
};
/** For models with a token budget for thinking instead of a level. */
const BUDGETS: Partial<Record<Effort, number>> = {
  low: 4_096,
  medium: 12_288,
  high: 24_576,
  xhigh: 32_000,
  max: 48_000,
};

export const anthropicMessages: Wire = (asked) => {
  const call = atPlatform(asked);
  const exchange = createSdkFetch(call);
  const { request, model, signal } = call;
  const library = createAnthropic({ baseURL: exchange.baseURL, apiKey: PLACEHOLDER_KEY, fetch: exchange.fetch });
  return sdkStream({
    model: library(model),
    exchange,
    call,
    vendorName: STYLE.vendorName,
    usageIn: anthropicUsage,
    isHourCache: isForHour(call),
    options: {
      prompt: sdkPrompt(call, STYLE),
      tools: sdkTools(request.tools),
      maxOutputTokens: request.maxOutputTokens ?? defaultMaxTokens(model),
      abortSignal: signal,
      providerOptions: { anthropic: thinking(call) },
    },
  });
};

/** Others that speak this wire may refuse the choice. */
function isForHour({ record, request }: WireCall): boolean {
  return request.isPausing === true && record.id === 'anthropic';
}

type AnthropicOptions = SharedV3ProviderOptions[string];

function thinking({ record, model, request, withoutReasoning }: WireCall): AnthropicOptions {
  if (withoutReasoning) return {};
  const asked = request.reasoning?.effort;
  const effort = asked && effortSent(record.reasoning, model, asked);
  // A small request without tools needs none.
  if (!asked && request.tools.length > 0 && defaultEffort(record, model) === 'adaptive')
    return { thinking: { type: 'adaptive', display: 'summarized' } };
  if (!effort) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  if (isAdaptive(model)) return { thinking: { type: 'adaptive', display: 'summarized' }, effort };
  const budgetTokens = BUDGETS[effort];
  return budgetTokens ? { thinking: { type: 'enabled', budgetTokens } } : {};
}
