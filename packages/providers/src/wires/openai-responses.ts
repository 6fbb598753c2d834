import { createOpenAI } from '@ai-sdk/openai';
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import { defaultEffort } from '../models/default-effort.ts';
import { effortSent } from '../table/reasoning.ts';
import { responsesUsage } from './partial-usage.ts';
import { createSdkFetch, PLACEHOLDER_KEY } from './sdk-fetch.ts';
import { type PromptStyle, sdkPrompt, sdkTools } from './sdk-prompt.ts';
import { sdkStream } from './sdk-stream.ts';
import type { Wire, WireCall } from './wire.ts';

const STYLE: PromptStyle = {
  vendorName: 'openai',
  // Of several summaries of one item the last one has the encrypted content.
  isWhole: ({ itemId }, answer) =>
    answer.some((other) => other['itemId'] === itemId && typeof other['reasoningEncryptedContent'] === 'string'),
};

/** Nothing is stored at the provider: the model's reasoning is sent back by us, encrypted by the provider. */
export const openaiResponses: Wire = (call) => {
  const exchange = createSdkFetch(call);
  const { request, model, signal } = call;
  const library = createOpenAI({ baseURL: exchange.baseURL, apiKey: PLACEHOLDER_KEY, fetch: exchange.fetch });
  return sdkStream({
    model: library.responses(model),
    exchange,
    call,
    vendorName: STYLE.vendorName,
    usageIn: responsesUsage,
    options: {
      prompt: sdkPrompt(call, STYLE),
      tools: sdkTools(request.tools),
      abortSignal: signal,
      ...(request.maxOutputTokens && { maxOutputTokens: request.maxOutputTokens }),
      providerOptions: { openai: responsesOptions(call) },
    },
  });
};

function responsesOptions(call: WireCall): SharedV3ProviderOptions[string] {
  const { record, model, request } = call;
  const { effort: asked, summary } = (call.withoutReasoning ? undefined : request.reasoning) ?? {};
  const isAgent = request.tools.length > 0 && !call.withoutReasoning;
  const effort = asked ? effortSent(record.reasoning, model, asked) : isAgent && defaultEffort(record, model);
  return {
    store: false,
    strictJsonSchema: false,
    ...(request.cacheKey && { promptCacheKey: request.cacheKey }),
    ...(effort && { reasoningEffort: effort }),
    ...(summary && { reasoningSummary: summary }),
  };
}
