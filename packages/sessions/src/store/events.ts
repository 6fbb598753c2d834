import type { StoredEvent } from '@fucina/shared';
import type { SessionRecord, SessionStore } from './store.ts';

const PAGE = 5_000;

/** Every event of a session above `from`, page by page. */
export function* eventsOf(store: SessionStore, record: SessionRecord, from = 0): Generator<StoredEvent> {
  let after = from;
  for (;;) {
    const page = store.eventsAfter(record.key, after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.seq ?? after;
  }
}

/** Turns hidden from the model. */
export function hiddenTurns({ fold }: SessionRecord): ReadonlySet<number> {
  return new Set(fold.undone.filter(({ chat }) => chat).map(({ turn }) => turn));
}
