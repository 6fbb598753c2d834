import type { SessionEvent, StoredEvent } from '@fucina/shared';

/**
 * Merges contiguous deltas of one message or call while a stream is replayed: one event with the joined text and the
 * sequence of the last one. Other events are unchanged and in order. Not used for live events.
 */
export interface Coalescer {
  push(events: readonly StoredEvent[]): StoredEvent[];
  /** The group still open at the end of the replay. */
  flush(): StoredEvent[];
}

type DeltaEvent = Extract<SessionEvent, { type: (typeof DELTA_TYPES)[number] }>;

const DELTA_TYPES = ['TextMessageContent', 'ReasoningMessageContent', 'ToolCallArgs', 'ToolCallOutput'] as const;
const DELTA_PREFIXES = DELTA_TYPES.map((type) => `{"type":"${type}"`);

interface Group {
  event: DeltaEvent;
  key: string;
  deltas: string[];
  last: StoredEvent;
}

export function createCoalescer(): Coalescer {
  let group: Group | undefined;

  const close = (): StoredEvent[] => {
    if (!group) return [];
    const { event, deltas, last } = group;
    group = undefined;
    if (deltas.length === 1) return [last];
    const json = JSON.stringify({ ...event, delta: deltas.join(''), _sequenza: last.seq });
    return [{ seq: last.seq, at: last.at, json }];
  };

  return {
    push(events) {
      const merged: StoredEvent[] = [];
      for (const stored of events) {
        // Events are written with their type first: checking the text avoids parsing most of them.
        if (!DELTA_PREFIXES.some((prefix) => stored.json.startsWith(prefix))) {
          merged.push(...close(), stored);
          continue;
        }
        const event = JSON.parse(stored.json) as DeltaEvent;
        const key = `${event.type} ${'messageId' in event ? event.messageId : event.toolCallId}`;
        if (group?.key !== key) merged.push(...close());
        group ??= { event, key, deltas: [], last: stored };
        group.deltas.push(event.delta);
        group.last = stored;
      }
      return merged;
    },
    flush: close,
  };
}
