import { REPLAY_END, type SessionEvent } from '@fucina/conversation';
import { readStored } from '@fucina/conversation/reader';
import type { MessageQueue, Services } from '@fucina/host';
import type { SessionReader } from './state.ts';

export interface Following {
  services: Services;
  sessionId: string;
  reader: SessionReader;
  /** Events were applied: frequent, not urgent. */
  changed(): void;
  queueChanged(queue: MessageQueue): void;
  /** This screen started it: every event is live, also those of a turn that has ended already. */
  isNew: boolean;
  /** After each event, for live events only. */
  happened(event: SessionEvent): void;
  /** The stored events have been applied. */
  replayed(): void;
  signal: AbortSignal;
}

/**
 * Applies stored and then live events, whichever process runs the session, until the signal aborts or the session is
 * deleted.
 */
export async function followSession(following: Following): Promise<void> {
  const { services, sessionId, reader, signal, isNew } = following;
  let isReplayed = false;
  for (;;) {
    let hasItems = false;
    // A reader that was cut off resumes at its position.
    for await (const item of services.sessions.follow(sessionId, reader.lastSequence(), signal)) {
      if (signal.aborted) return;
      hasItems = true;
      if (item.kind === 'queue') following.queueChanged(item.queue);
      if (item.kind === 'replayed' && !isReplayed) {
        isReplayed = true;
        reader.take([REPLAY_END]);
        following.replayed();
      }
      const events = item.kind === 'events' ? item.events.map(readStored) : [];
      reader.take(events);
      if (isNew || isReplayed) for (const event of events) following.happened(event);
      following.changed();
    }
    if (signal.aborted || !hasItems || !services.sessions.has(sessionId)) return;
  }
}
