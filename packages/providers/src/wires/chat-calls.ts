import type { ModelEvent } from '@fucina/shared';
import { interrupted, WireFailure } from './failure.ts';
import { vendorValue } from './vendor-value.ts';
import { MAX_TOOL_CALLS, type WireCall } from './wire.ts';

export interface CallDelta {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | Record<string, unknown> | null };
  /** Gemini's signature of the call, in its OpenAI form. */
  extra_content?: Record<string, unknown> | null;
}

interface ChatCalls {
  add(part: CallDelta, events: ModelEvent[]): void;
  end(events: ModelEvent[]): void;
  count(): number;
}

interface OpenCall {
  id: string;
  /** As the provider wrote it, also for a call that got another one. */
  givenId: string | undefined;
  arguments: string;
  extraContent?: Record<string, unknown>;
}

/** Parallel calls by their index; without an index by id, else the last one started. */
export function createChatCalls(newId: () => string, call: WireCall): ChatCalls {
  const calls: OpenCall[] = [];
  /** The last call of each index. */
  const byIndex = new Map<number, OpenCall>();
  const ids = new Set<string>();
  let last = -1;
  const indexOf = ({ index, id }: CallDelta): number => {
    if (index !== undefined) return index;
    if (!id) return Math.max(last, 0);
    const known = [...byIndex].find(([, { givenId }]) => givenId === id)?.[0];
    return known ?? byIndex.size;
  };
  const start = (index: number, part: CallDelta, events: ModelEvent[]): OpenCall => {
    if (calls.length >= MAX_TOOL_CALLS)
      throw new WireFailure(interrupted('The answer asks for more than 1,000 tool calls.'));
    const givenId = part.id ?? undefined;
    const id = givenId && !ids.has(givenId) ? givenId : `call_${newId()}`;
    const opened: OpenCall = { id, givenId, arguments: '' };
    calls.push(opened);
    byIndex.set(index, opened);
    ids.add(id);
    events.push({ type: 'tool-start', id, name: part.function?.name ?? '' });
    return opened;
  };
  return {
    add(part, events) {
      const index = indexOf(part);
      last = index;
      const known = byIndex.get(index);
      const opened = known && !isAnother(part, known) ? known : start(index, part, events);
      const given = part.function?.arguments;
      const delta = typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
      if (part.extra_content) opened.extraContent = part.extra_content;
      if (!delta) return;
      opened.arguments += delta;
      events.push({ type: 'tool-arguments', id: opened.id, delta });
    },
    end(events) {
      for (const { id, extraContent } of calls) {
        const vendor = extraContent && vendorValue(call, { extra_content: extraContent });
        events.push({ type: 'tool-end', id, ...(vendor && { vendor }) });
      }
    },
    count: () => calls.length,
  };
}

/** Ollama sends parallel calls whole and all at index 0: a new id with a name, after arguments that are complete. */
function isAnother({ id, function: called }: CallDelta, known: OpenCall): boolean {
  return Boolean(called?.name) && (id ?? undefined) !== known.givenId && isWhole(known.arguments);
}

function isWhole(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    // More is to come.
    return false;
  }
}
