import { EMPTY, fold, type StoredEvent } from '@fucina/conversation';
import { readStored } from '@fucina/conversation/reader';
import { comparable, recordedSessions } from '@fucina/conversation/testing';
import type { Services } from '@fucina/host';
import { describe, expect, test } from '@jest/globals';
import { createUpdates } from '../src/acp/updates.ts';
import { turnEvents } from '../src/one-shot/follow-turn.ts';
import { followSession } from '../src/screen/conversation/follow.ts';
import { createSessionReader } from '../src/screen/conversation/state.ts';
import { translatorFor } from '../src/words/index.ts';

const PAGE = 7;
const SESSIONS = recordedSessions().map((session) => [session.name, session] as const);

/** A journal that contains only the recording: its pages, then the end of the session. */
function journal(events: readonly StoredEvent[]): Services {
  async function* follow(_sessionId: string, after: number) {
    const left = events.filter(({ seq }) => seq > after);
    for (let at = 0; at < left.length; at += PAGE) yield { kind: 'events', events: left.slice(at, at + PAGE) };
    yield { kind: 'replayed' };
  }
  return { sessions: { follow, has: () => false } } as unknown as Services;
}

describe.each(SESSIONS)('the recorded session %s', (_name, { events, items }) => {
  test('shows its items on the screen', async () => {
    const reader = createSessionReader();
    await followSession({
      services: journal(events),
      sessionId: 's',
      isNew: false,
      reader,
      changed: () => undefined,
      queueChanged: () => undefined,
      happened: () => undefined,
      replayed: () => undefined,
      signal: new AbortController().signal,
    });
    expect(comparable(reader.state().items)).toEqual(items);
  });

  test('prints its items in one-shot turns', async () => {
    let conversation = EMPTY;
    // A turn's events end with it; those after the last turn are read from the journal itself.
    for (let left = events.filter(endsTurn).length; left > 0; left -= 1) {
      for await (const { event } of turnEvents(journal(events), 's', conversation.lastSequence)) {
        conversation = fold(conversation, [event]);
      }
    }
    conversation = fold(conversation, events.map(readStored));
    expect(comparable(conversation.items)).toEqual(items);
  });

  test('sends its items to an editor', () => {
    const updates = createUpdates('/home/ada/project', translatorFor('en'));
    for (const event of events) updates.of(readStored(event));
    expect(comparable(updates.conversation().items)).toEqual(items);
  });
});

function endsTurn(stored: StoredEvent): boolean {
  const { type } = readStored(stored);
  return type === 'RunFinished' || type === 'RunError';
}
