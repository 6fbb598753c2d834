import { createOpenAI } from '@ai-sdk/openai';
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import { effortSent } from '../table/reasoning.ts';
import { createSdkFetch, PLACEHOLDER_KEY } from './sdk-fetch.ts';
import { sdkPrompt, sdkTools } from './sdk-prompt.ts';
import { sdkStream } from './sdk-stream.ts';
import type { Wire, WireCall } from './wire.ts';

/** Nothing is stored at the provider: the model's reasoning is sent back by us, encrypted by the provider. */
export const openaiResponses: Wire = (call) => {
  const exchange = createSdkFetch(call);
  const { request, record, model, signal } = call;
  const library = createOpenAI({ baseURL: exchange.baseURL, apiKey: PLACEHOLDER_KEY, fetch: exchange.fetch });
  return sdkStream({
    model: library.responses(model),
    exchange,
    provider: record.id,
    newId: call.ambient.newId,
    metadataName: 'openai',
    proofOf({ itemId, reasoningEncryptedContent }) {
      if (typeof itemId !== 'string' || typeof reasoningEncryptedContent !== 'string') return undefined;
      return JSON.stringify({ itemId, reasoningEncryptedContent });
    },
    options: {
      prompt: sdkPrompt(call, { proof: proofOptions }),
      tools: sdkTools(request.tools),
      abortSignal: signal,
      ...(request.maxOutputTokens && { maxOutputTokens: request.maxOutputTokens }),
      providerOptions: { openai: responsesOptions(call) },
    },
  });
};

function proofOptions(data: string): SharedV3ProviderOptions {
  return { openai: JSON.parse(data) as { itemId: string; reasoningEncryptedContent: string } };
}

function responsesOptions({ record, model, request }: WireCall): SharedV3ProviderOptions[string] {
  const { effort: asked, summary } = request.reasoning ?? {};
  const effort = asked && effortSent(record.reasoning, model, asked);
  return {
    store: false,
    strictJsonSchema: false,
    ...(request.cacheKey && { promptCacheKey: request.cacheKey }),
    ...(effort && { reasoningEffort: effort }),
    ...(summary && { reasoningSummary: summary }),
  };
}
