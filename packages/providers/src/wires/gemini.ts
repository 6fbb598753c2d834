import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import { type Effort, effortSent } from '../table/reasoning.ts';
import { createSdkFetch, PLACEHOLDER_KEY } from './sdk-fetch.ts';
import { sdkPrompt, sdkTools } from './sdk-prompt.ts';
import { sdkStream } from './sdk-stream.ts';
import type { Wire, WireCall } from './wire.ts';

/** For the 2.5 family, which has a token budget for thinking instead of a level. */
const BUDGETS: Partial<Record<Effort, number>> = { none: 0, low: 2_048, medium: 8_192, high: 24_576 };

/** The models sign their calls and reject a call without its signature: it is stored as a proof. */
export const geminiContent: Wire = (call) => {
  const exchange = createSdkFetch(call);
  const { request, record, model, signal, ambient } = call;
  const library = createGoogleGenerativeAI({
    baseURL: exchange.baseURL,
    apiKey: PLACEHOLDER_KEY,
    fetch: exchange.fetch,
    generateId: () => `call_${ambient.newId()}`,
  });
  return sdkStream({
    model: library.chat(model),
    exchange,
    provider: record.id,
    newId: ambient.newId,
    metadataName: 'google',
    proofOf: ({ thoughtSignature }) =>
      typeof thoughtSignature === 'string' ? JSON.stringify({ thoughtSignature }) : undefined,
    callProofOf: ({ thoughtSignature }, index) =>
      typeof thoughtSignature === 'string' ? JSON.stringify({ thoughtSignature, call: index }) : undefined,
    options: {
      prompt: sdkPrompt(call, { proof: reasoningProof, callProof }),
      tools: sdkTools(request.tools),
      abortSignal: signal,
      ...(request.maxOutputTokens && { maxOutputTokens: request.maxOutputTokens }),
      providerOptions: { google: thinking(call) },
    },
  });
};

interface Proof {
  thoughtSignature: string;
  /** The call of the answer that it signs; absent for a thought. */
  call?: number;
}

function reasoningProof(data: string): SharedV3ProviderOptions | undefined {
  const { thoughtSignature, call } = JSON.parse(data) as Proof;
  return call === undefined ? { google: { thoughtSignature } } : undefined;
}

function callProof(data: string): { index: number; options: SharedV3ProviderOptions } | undefined {
  const { thoughtSignature, call } = JSON.parse(data) as Proof;
  return call === undefined ? undefined : { index: call, options: { google: { thoughtSignature } } };
}

function thinking({ record, model, request }: WireCall): SharedV3ProviderOptions[string] {
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
