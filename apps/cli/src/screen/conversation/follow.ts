import type { MessageQueue, Services } from '@fucina/host';
import type { SessionEvent } from '@fucina/shared';
import type { ConversationFold } from './fold.ts';

export interface Following {
  services: Services;
  sessionId: string;
  fold: ConversationFold;
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
  const { services, sessionId, fold, signal } = following;
  let isLive = false;
  for (;;) {
    let hasItems = false;
    // A reader left behind begins again where it was.
    for await (const item of services.sessions.follow(sessionId, fold.state().lastSeq, signal)) {
      if (signal.aborted) return;
      hasItems = true;
      if (item.kind === 'queue') following.queueChanged(item.queue);
      if (item.kind === 'replayed' && !isLive) {
        isLive = true;
        fold.endReplay();
        following.replayed();
      }
      for (const { seq, at, json } of item.kind === 'events' ? item.events : []) {
        const event = JSON.parse(json) as SessionEvent;
        fold.take(event, { seq, at });
        if (isLive) following.happened(event);
      }
      following.changed();
    }
    if (signal.aborted || !hasItems || !services.sessions.has(sessionId)) return;
  }
}
