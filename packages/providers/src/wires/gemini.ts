import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import { type Effort, effortSent } from '../table/reasoning.ts';
import { geminiUsage } from './partial-usage.ts';
import { createSdkFetch, PLACEHOLDER_KEY } from './sdk-fetch.ts';
import { type PromptStyle, sdkPrompt, sdkTools } from './sdk-prompt.ts';
import { sdkStream } from './sdk-stream.ts';
import type { Wire, WireCall } from './wire.ts';

/** For the 2.5 family, which has a token budget for thinking instead of a level. */
const BUDGETS: Partial<Record<Effort, number>> = { none: 0, low: 2_048, medium: 8_192, high: 24_576 };

/** `call`: an older version stored the signature of a call with an empty thought. */
const STYLE: PromptStyle = {
  vendorName: 'google',
  isWhole: ({ thoughtSignature, call }) => typeof thoughtSignature === 'string' && call === undefined,
};

/** The models sign thoughts, texts and calls, and reject a call without its signature. */
export const geminiContent: Wire = (call) => {
  const exchange = createSdkFetch(call);
  const { request, model, signal, ambient } = call;
  const library = createGoogleGenerativeAI({
    baseURL: exchange.baseURL,
    apiKey: PLACEHOLDER_KEY,
    fetch: exchange.fetch,
    generateId: () => `call_${ambient.newId()}`,
  });
  return sdkStream({
    model: library.chat(model),
    exchange,
    call,
    vendorName: STYLE.vendorName,
    usageIn: geminiUsage,
    options: {
      prompt: sdkPrompt(call, STYLE),
      tools: sdkTools(request.tools),
      abortSignal: signal,
      ...(request.maxOutputTokens && { maxOutputTokens: request.maxOutputTokens }),
      providerOptions: { google: thinking(call) },
    },
  });
};

function thinking({ record, model, request, withoutReasoning }: WireCall): SharedV3ProviderOptions[string] {
  if (withoutReasoning) return {};
  const asked = request.reasoning?.effort;
  const effort = asked && effortSent(record.reasoning, model, asked);
  if (!effort) return canThink(model) ? { thinkingConfig: { includeThoughts: true } } : {};
  const includeThoughts = effort !== 'none';
  if (model.startsWith('gemini-2.5')) {
    return { thinkingConfig: { includeThoughts, thinkingBudget: BUDGETS[effort] ?? 0 } };
  }
  return { thinkingConfig: { includeThoughts, thinkingLevel: effort } };
}

function canThink(model: string): boolean {
  return /^gemini-(2\.5|[3-9])/.test(model) && !model.includes('image');
}
