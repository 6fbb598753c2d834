import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { SessionEvent } from '@fucina/shared';
import type { SessionRecord, SessionStore } from '../store/store.ts';
import { type ActivityFold, createActivity } from './activity.ts';
import { type CallTable, createCallTable } from './ledger.ts';
import { createMeter, type Meter } from './metrics.ts';

/** The source of metrics, ledger and agents: folded once, then updated with new events. */
export interface View {
  meter: Meter;
  book: CallTable;
  activity: ActivityFold;
}

export interface Views {
  /** Up to date with the journal. A long journal is read in pages, so that other requests are served in between. */
  of(record: SessionRecord): Promise<View>;
  forget(key: number): void;
}

const MAX_CACHED_VIEWS = 16;
const PAGE = 2_000;

export function createViews(store: SessionStore): Views {
  const views = new Map<number, View & { through: number; catchingUp: Promise<void> }>();

  const catchUp = async (key: number): Promise<void> => {
    const view = views.get(key);
    for (;;) {
      const page = view ? store.eventsAfter(key, view.through, PAGE) : [];
      for (const { seq, at, json } of page) {
        const event = JSON.parse(json) as SessionEvent;
        view?.meter.apply(event, at);
        view?.book.apply(event, { seq, at });
        view?.activity.apply(event, at);
      }
      if (view) view.through = page.at(-1)?.seq ?? view.through;
      if (page.length < PAGE) return;
      await yieldToOthers();
    }
  };

  return {
    async of({ key }) {
      const view = views.get(key) ?? {
        meter: createMeter(),
        book: createCallTable(),
        activity: createActivity(),
        through: 0,
        catchingUp: Promise.resolve(),
      };
      views.delete(key);
      views.set(key, view);
      for (const oldest of [...views.keys()].slice(0, -MAX_CACHED_VIEWS)) views.delete(oldest);
      // One reader at a time: an event is never folded twice.
      view.catchingUp = view.catchingUp.then(() => catchUp(key));
      await view.catchingUp;
      return view;
    },
    forget: (key) => void views.delete(key),
  };
}
