import { REPLAY_END, readStored, type SessionEvent } from '@fucina/conversation';
import type { MessageQueue, Services } from '@fucina/host';
import type { SessionReader } from './state.ts';

export interface Following {
  services: Services;
  sessionId: string;
  reader: SessionReader;
  /** Something was taken in: often, and in no hurry. */
  changed(): void;
  queueChanged(queue: MessageQueue): void;
  /** After each event, and only for those that happen now. */
  happened(event: SessionEvent): void;
  /** What was stored has been taken in. */
  replayed(): void;
  signal: AbortSignal;
}

/** Takes in what was stored and then what happens, whoever runs the session, until the signal aborts or the session is gone. */
export async function followSession(following: Following): Promise<void> {
  const { services, sessionId, reader, signal } = following;
  let isLive = false;
  for (;;) {
    let hasItems = false;
    // A reader left behind begins again where it was.
    for await (const item of services.sessions.follow(sessionId, reader.lastSequence(), signal)) {
      if (signal.aborted) return;
      hasItems = true;
      if (item.kind === 'queue') following.queueChanged(item.queue);
      if (item.kind === 'replayed' && !isLive) {
        isLive = true;
        reader.take([REPLAY_END]);
        following.replayed();
      }
      const events = item.kind === 'events' ? item.events.map(readStored) : [];
      reader.take(events);
      if (isLive) for (const event of events) following.happened(event);
      following.changed();
    }
    if (signal.aborted || !hasItems || !services.sessions.has(sessionId)) return;
  }
}
