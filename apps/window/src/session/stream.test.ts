import { REPLAY_END } from '@fucina/conversation';
import { comparable, recordedSessions } from '@fucina/conversation/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { takeStream } from './stream.ts';

/** Replaces the browser's EventSource; the test supplies its lines. */
class Lines {
  static opened: Lines[] = [];
  onmessage: ((message: { data: string }) => void) | undefined;
  constructor() {
    Lines.opened.push(this);
  }
  close(): void {
    this.onmessage = undefined;
  }
}

const names = ['EventSource', 'document', 'requestAnimationFrame', 'cancelAnimationFrame'] as const;
const before = names.map((name) => [name, Reflect.get(globalThis, name)] as const);

beforeEach(() => {
  const page = { addEventListener: () => undefined, removeEventListener: () => undefined, visibilityState: 'visible' };
  const fakes = { EventSource: Lines, document: page, requestAnimationFrame: () => 0, cancelAnimationFrame: () => {} };
  Object.assign(globalThis, fakes);
});
afterEach(() => {
  for (const [name, value] of before) Reflect.set(globalThis, name, value);
});

describe('the stream of a session', () => {
  test.each(recordedSessions().map((session) => [session.name, session] as const))(
    'gives the recorded session %s its items',
    (name, { events, items }) => {
      const stream = takeStream(name);
      const lines = Lines.opened.at(-1);
      for (const { json } of events) lines?.onmessage?.({ data: json });
      lines?.onmessage?.({ data: JSON.stringify(REPLAY_END) });
      expect(comparable(stream.conversation().items)).toEqual(items);
      expect(stream.conversation()).toMatchObject({ isReplayed: true, isRunning: false });
      stream.close();
    },
  );
});
