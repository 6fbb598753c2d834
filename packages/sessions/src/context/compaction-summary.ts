import {
  type ModelClient,
  type ModelFailure,
  type ModelMessage,
  type ReasoningChoice,
  type ToolSpec,
  textStart,
} from '@fucina/shared';
import { estimateTokenCount } from 'tokenx';
import type { ShowMessages } from '../dialects/shown-messages.ts';
import { SUMMARY_REQUEST, TRANSCRIPT_PROMPT } from './compaction-text.ts';

/** The beginning of every request of a session. */
export interface SessionPrompt {
  system: readonly string[];
  specs: readonly ToolSpec[];
  /** The conversation with calls as the specs name them. */
  show: ShowMessages;
}

type Asked = Pick<SessionPrompt, 'system' | 'specs'> & { messages: readonly ModelMessage[] };

export interface SummaryRequest {
  model: string;
  sessionId: string;
  reasoning: ReasoningChoice | null;
  /** The conversation as the model knows it; undefined where it does not fit. */
  conversation: Asked | undefined;
  /** The covered part as a text, cut to what fits. */
  transcript: string;
  maxTokens: number;
  signal: AbortSignal;
  traceparent: string | undefined;
}

/** Many providers count reasoning as output: without room for it the summary would be cut off. */
const ROOM_FOR_REASONING = 8_192;

export type Summary = { text: string } | { failure: ModelFailure | undefined };

/**
 * Asks the model to sum up the conversation as its own next answer, which costs little where the provider has cached
 * what came before. Where it does not fit, or gives no text, the model gets a shorter transcript. No failure: the model
 * said nothing.
 */
export async function summarise(client: ModelClient, request: SummaryRequest): Promise<Summary> {
  const { conversation, transcript } = request;
  const asked: ModelMessage = { role: 'user', content: [{ type: 'text', text: SUMMARY_REQUEST }] };
  const continued =
    conversation && (await ask(client, request, { ...conversation, messages: [...conversation.messages, asked] }));
  if (continued && ('text' in continued || !mayBeShorter(continued.failure))) return continued;
  const text: ModelMessage = { role: 'user', content: [{ type: 'text', text: transcript }] };
  return ask(client, request, { system: [TRANSCRIPT_PROMPT], specs: [], messages: [text] });
}

function mayBeShorter(failure: ModelFailure | undefined): boolean {
  return !failure || failure.class === 'context-too-long' || failure.class === 'request-refused';
}

async function ask(
  client: ModelClient,
  { model, sessionId, reasoning, maxTokens, signal, traceparent }: SummaryRequest,
  { system, specs, messages }: Asked,
): Promise<Summary> {
  let text = '';
  const request = {
    model,
    system,
    messages,
    tools: specs,
    ...(reasoning && specs.length > 0 && { reasoning }),
    maxOutputTokens: maxTokens + ROOM_FOR_REASONING,
    cacheKey: sessionId,
    purpose: 'compaction' as const,
    traceparent,
  };
  for await (const batch of client.stream(request, signal)) {
    for (const event of batch) {
      if (event.type === 'text') text += event.delta;
      if (event.type === 'failure') return { failure: event.failure };
    }
  }
  const said = text.trim();
  return said ? { text: cutToTokens(said, maxTokens) } : { failure: undefined };
}

/** The beginning of a text within a number of estimated tokens. */
export function cutToTokens(text: string, limit: number): string {
  const tokens = estimateTokenCount(text);
  return tokens <= limit ? text : `${textStart(text, Math.floor((text.length * limit) / tokens))} […]`;
}
