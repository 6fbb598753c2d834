import { type FinishReason, lineBatches, type ModelEvent, type ModelUsage } from '@fucina/shared';
import { secretsOf } from '../connection/access.ts';
import { joinAddress } from '../connection/runtime.ts';
import { type CallDelta, createChatCalls } from './chat-calls.ts';
import { type ChatContent, createChatContent, createChatReasoning, type ReasoningDelta } from './chat-reasoning.ts';
import { failureInStream } from './classify.ts';
import { interrupted, WireFailure } from './failure.ts';
import { chatBytes } from './openai-chat-request.ts';
import { providerMessage } from './provider-message.ts';
import { asWireFailure, openStream, type Wire, type WireCall } from './wire.ts';

/**
 * Chat completions, parsed by hand: this is the wire of local engines and fast hosts, where a general client would be
 * the bottleneck.
 */
export const openaiChat: Wire = async function* chat(call) {
  const url = joinAddress(call.endpoint, `${call.record.wirePrefix}/chat/completions`);
  const answer = await openStream(call, url, { body: chatBytes(call) });
  const reader = createReader(call);
  let hasOutput = false;
  try {
    for await (const lines of lineBatches(answer.body, call.endpoint)) {
      const { events, error } = readLines(reader, lines);
      if (events.length > 0) yield events;
      hasOutput ||= events.length > 0;
      if (error !== undefined) throw error;
      if (reader.isOver()) break;
    }
    yield reader.end();
  } catch (error) {
    // Hosts that count with each chunk.
    const usage = hasOutput && reader.usage();
    if (usage) yield [{ type: 'usage', usage }];
    throw asWireFailure(error, true);
  }
};

/** What came before an error counts: it arrived in the same read. */
function readLines(reader: Reader, lines: readonly string[]): { events: ModelEvent[]; error?: unknown } {
  const events: ModelEvent[] = [];
  try {
    for (const line of lines) {
      if (line.startsWith('data:')) reader.read(line.slice(5).trim(), events);
      if (reader.isOver()) break;
    }
    return { events };
  } catch (error) {
    return { events, error };
  }
}

/** The fields of a chunk that are used. */
interface Chunk {
  choices?: {
    delta?: (ReasoningDelta & { content?: ChatContent; tool_calls?: CallDelta[] | null }) | null;
    finish_reason?: string | null;
  }[];
  usage?: ChatUsage | null;
  /** Groq sends the usage here. */
  x_groq?: { usage?: ChatUsage };
  error?: unknown;
}

interface ChatUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null;
  prompt_cache_hit_tokens?: number;
  cached_tokens?: number;
  /** The aggregator's own cost, in US dollars. */
  cost?: number;
}

const FINISH: Record<string, FinishReason> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
};

interface Reader {
  /** Appends to `events`. Throws WireFailure for an error inside the stream and SyntaxError for an invalid chunk. */
  read(data: string, events: ModelEvent[]): void;
  isOver(): boolean;
  usage(): ModelUsage | undefined;
  /** The closing events; throws when the stream was cut off. */
  end(): ModelEvent[];
}

function createReader(call: WireCall): Reader {
  const { ambient, access } = call;
  const calls = createChatCalls(() => ambient.newId(), call);
  const reasoning = createChatReasoning(call);
  const content = createChatContent(reasoning);
  let finish: FinishReason | undefined;
  let usage: ModelUsage | undefined;
  let isDone = false;
  return {
    read(data, events) {
      if (data === '[DONE]') {
        isDone = true;
        return;
      }
      if (data === '') return;
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error)
        throw new WireFailure(failureInStream(chunk.error, providerMessage(chunk.error, secretsOf(access))));
      const counted = chunk.usage ?? chunk.x_groq?.usage;
      if (counted) usage = toUsage(counted);
      const choice = chunk.choices?.[0];
      if (!choice) return;
      if (choice.finish_reason) finish = FINISH[choice.finish_reason] ?? 'other';
      const delta = choice.delta;
      if (!delta) return;
      reasoning.read(delta, events);
      if (delta.content) content.read(delta.content, events);
      if (delta.tool_calls?.length) {
        content.end(events);
        reasoning.end(events);
        for (const part of delta.tool_calls) calls.add(part, events);
      }
    },
    isOver: () => isDone,
    usage: () => usage,
    end() {
      if (!isDone && finish === undefined) throw new WireFailure(interrupted());
      const events: ModelEvent[] = [];
      content.end(events);
      reasoning.end(events);
      calls.end(events);
      if (usage) events.push({ type: 'usage', usage });
      // Some engines send `stop` after tool calls.
      const reason =
        calls.count() > 0 && (finish === 'stop' || finish === undefined) ? 'tool-calls' : (finish ?? 'other');
      events.push({ type: 'finish', reason });
      return events;
    },
  };
}

function toUsage(usage: ChatUsage): ModelUsage {
  const written = usage.prompt_tokens_details?.cache_write_tokens;
  return {
    promptTokens: usage.prompt_tokens ?? 0,
    completionTokens: usage.completion_tokens ?? 0,
    cachedTokens:
      usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? null,
    ...(written && { cacheWriteTokens: written }),
    ...(typeof usage.cost === 'number' && usage.cost >= 0 && { declaredCostUsd: usage.cost }),
  };
}
