import type { Services } from '@fucina/host';
import type { SessionEvent } from '@fucina/shared';

/** The events of one turn, to its last. A reader left behind begins again where it was. */
export async function* turnEvents(
  { sessions }: Services,
  sessionId: string,
  after: number,
): AsyncGenerator<{ event: SessionEvent; json: string }> {
  const over = new AbortController();
  let seen = after;
  try {
    for (;;) {
      for await (const item of sessions.follow(sessionId, seen, over.signal)) {
        for (const { seq, json } of item.kind === 'events' ? item.events : []) {
          seen = seq;
          const event = JSON.parse(json) as SessionEvent;
          yield { event, json };
          if (event.type === 'RunFinished' || event.type === 'RunError') return;
        }
      }
    }
  } finally {
    over.abort();
  }
}

/** From here on agents of this session may ask for something. */
export function startsAgent(event: SessionEvent): boolean {
  return event.type === 'ToolCallStart' && event.toolCallName === 'delega_sottotask';
}
