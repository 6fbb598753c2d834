import { type FinishReason, lineBatches, type ModelEvent, type ModelUsage } from '@fucina/shared';
import { secretsOf } from '../connection/access.ts';
import { joinAddress } from '../connection/runtime.ts';
import { interrupted, STOPPED_WITH_ERROR, WireFailure } from './failure.ts';
import { chatBytes } from './openai-chat-request.ts';
import { providerMessage } from './provider-message.ts';
import { asWireFailure, MAX_TOOL_CALLS, openStream, type Wire, type WireCall } from './wire.ts';

/**
 * Chat completions, parsed by hand: this is the wire of local engines and fast hosts, where a general client would be
 * the bottleneck.
 */
export const openaiChat: Wire = async function* chat(call) {
  const url = joinAddress(call.endpoint, `${call.record.wirePrefix}/chat/completions`);
  const answer = await openStream(call, url, { body: chatBytes(call) });
  const reader = createReader(call);
  try {
    for await (const lines of lineBatches(answer.body, call.endpoint)) {
      const events: ModelEvent[] = [];
      for (const line of lines) {
        if (line.startsWith('data:')) reader.read(line.slice(5).trim(), events);
        if (reader.isOver()) break;
      }
      if (events.length > 0) yield events;
      if (reader.isOver()) break;
    }
  } catch (error) {
    throw asWireFailure(error, true);
  }
  yield reader.end();
};

/** The fields of a chunk that are used. */
interface Chunk {
  choices?: {
    delta?: {
      content?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: CallDelta[] | null;
    } | null;
    finish_reason?: string | null;
  }[];
  usage?: ChatUsage | null;
  /** Groq sends the usage here. */
  x_groq?: { usage?: ChatUsage };
  error?: unknown;
}

interface CallDelta {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | Record<string, unknown> | null };
}

interface ChatUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
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
  /** The closing events; throws when the stream was cut off. */
  end(): ModelEvent[];
}

function createReader({ ambient, access }: WireCall): Reader {
  const calls = createCalls(() => ambient.newId());
  let finish: FinishReason | undefined;
  let usage: ModelUsage | undefined;
  let isReasoning = false;
  let isDone = false;
  const endReasoning = (events: ModelEvent[]): void => {
    if (isReasoning) events.push({ type: 'reasoning-end' });
    isReasoning = false;
  };
  return {
    read(data, events) {
      if (data === '[DONE]') {
        isDone = true;
        return;
      }
      if (data === '') return;
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error)
        throw new WireFailure(interrupted(STOPPED_WITH_ERROR, providerMessage(chunk.error, secretsOf(access))));
      const counted = chunk.usage ?? chunk.x_groq?.usage;
      if (counted) usage = toUsage(counted);
      const choice = chunk.choices?.[0];
      if (!choice) return;
      if (choice.finish_reason) finish = FINISH[choice.finish_reason] ?? 'other';
      const delta = choice.delta;
      if (!delta) return;
      const reasoning = delta.reasoning_content ?? delta.reasoning;
      if (reasoning) {
        isReasoning = true;
        events.push({ type: 'reasoning', delta: reasoning });
      }
      if (delta.content) {
        endReasoning(events);
        events.push({ type: 'text', delta: delta.content });
      }
      if (delta.tool_calls?.length) {
        endReasoning(events);
        for (const part of delta.tool_calls) calls.add(part, events);
      }
    },
    isOver: () => isDone,
    end() {
      if (!isDone && finish === undefined) throw new WireFailure(interrupted());
      const events: ModelEvent[] = [];
      endReasoning(events);
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

interface Calls {
  add(part: CallDelta, events: ModelEvent[]): void;
  end(events: ModelEvent[]): void;
  count(): number;
}

/** Parallel calls by their index; without an index by id, else the last one started. */
function createCalls(newId: () => string): Calls {
  const byIndex = new Map<number, string>();
  const ids = new Set<string>();
  let last = -1;
  const indexOf = ({ index, id }: CallDelta): number => {
    if (index !== undefined) return index;
    if (!id) return Math.max(last, 0);
    const known = [...byIndex].find(([, known]) => known === id)?.[0];
    return known ?? byIndex.size;
  };
  return {
    add(part, events) {
      const index = indexOf(part);
      last = index;
      let id = byIndex.get(index);
      if (id === undefined) {
        if (byIndex.size >= MAX_TOOL_CALLS)
          throw new WireFailure(interrupted('The answer asks for more than 1,000 tool calls.'));
        id = part.id && !ids.has(part.id) ? part.id : `call_${newId()}`;
        byIndex.set(index, id);
        ids.add(id);
        events.push({ type: 'tool-start', id, name: part.function?.name ?? '' });
      }
      const given = part.function?.arguments;
      const delta = typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
      if (delta) events.push({ type: 'tool-arguments', id, delta });
    },
    end(events) {
      for (const id of byIndex.values()) events.push({ type: 'tool-end', id });
    },
    count: () => byIndex.size,
  };
}

function toUsage(usage: ChatUsage): ModelUsage {
  return {
    promptTokens: usage.prompt_tokens ?? 0,
    completionTokens: usage.completion_tokens ?? 0,
    cachedTokens:
      usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? null,
    ...(typeof usage.cost === 'number' && usage.cost >= 0 && { declaredCostUsd: usage.cost }),
  };
}
