import { expect, test } from '@jest/globals';
import { EMPTY } from './conversation.ts';
import { fold } from './fold.ts';
import { readStored } from './reader.ts';
import { comparable, recordedSessions } from './testing.ts';

test.each(recordedSessions().map((session) => [session.name, session] as const))(
  'folds the recorded session %s to its items, whole and event by event',
  (_name, { events, items }) => {
    const whole = fold(EMPTY, events.map(readStored));
    expect(comparable(whole.items)).toEqual(items);
    let conversation = EMPTY;
    for (const event of events) conversation = fold(conversation, [readStored(event)]);
    expect(conversation).toEqual(whole);
  },
);
