import type { StreamEvent } from '@fucina/conversation';
import { readStored } from '@fucina/conversation/reader';
import type { Services } from '@fucina/host';

/** The events of one turn, to its last. A reader that was cut off resumes at its position. */
export async function* turnEvents(
  { sessions }: Services,
  sessionId: string,
  after: number,
): AsyncGenerator<{ event: StreamEvent; json: string }> {
  const over = new AbortController();
  let seen = after;
  try {
    for (;;) {
      for await (const item of sessions.follow(sessionId, seen, over.signal)) {
        for (const stored of item.kind === 'events' ? item.events : []) {
          seen = stored.seq;
          const event = readStored(stored);
          yield { event, json: stored.json };
          if (event.type === 'RunFinished' || event.type === 'RunError') return;
        }
      }
    }
  } finally {
    over.abort();
  }
}
