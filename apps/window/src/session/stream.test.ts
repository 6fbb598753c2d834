import { REPLAY_END } from '@fucina/conversation';
import { comparable, recordedSessions } from '@fucina/conversation/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sendFirstRequests } from '../first-requests.ts';
import { type SessionStream, takeStream } from './stream.ts';

/** Replaces the browser's EventSource; the test supplies its lines. */
class Lines {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static opened: Lines[] = [];
  readyState = Lines.OPEN;
  onmessage: ((message: { data: string }) => void) | undefined;
  constructor() {
    Lines.opened.push(this);
  }
  close(): void {
    this.onmessage = undefined;
  }
}

const names = [
  'EventSource',
  'document',
  'location',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'navigator',
  'fetch',
] as const;
const before = names.map((name) => [name, Reflect.get(globalThis, name)] as const);

beforeEach(() => {
  const page = { addEventListener: () => undefined, removeEventListener: () => undefined, visibilityState: 'visible' };
  const location = { origin: 'http://127.0.0.1' };
  const frames = { requestAnimationFrame: () => 0, cancelAnimationFrame: () => {} };
  const fakes = { EventSource: Lines, document: page, location, ...frames };
  Object.assign(globalThis, fakes);
});
afterEach(() => {
  for (const [name, value] of before) Reflect.set(globalThis, name, value);
});

const replayed = async (stream: SessionStream): Promise<void> => {
  if (stream.conversation().isReplayed) return;
  await new Promise<void>((resolve) => {
    stream.subscribe(() => stream.conversation().isReplayed && resolve());
  });
};

describe('the stream of a session', () => {
  test.each(recordedSessions().map((session) => [session.name, session] as const))(
    'gives the recorded session %s its items',
    async (name, { events, items }) => {
      const stream = takeStream(name);
      const lines = Lines.opened.at(-1);
      for (const { json } of events) lines?.onmessage?.({ data: json });
      lines?.onmessage?.({ data: JSON.stringify(REPLAY_END) });
      await replayed(stream);
      expect(comparable(stream.conversation().items)).toEqual(items);
      expect(stream.conversation()).toMatchObject({ isReplayed: true, isRunning: false });
      stream.close();
    },
  );

  const [recorded] = recordedSessions();
  const openEarly = (): Lines | undefined => {
    const location = { origin: 'http://127.0.0.1', pathname: '/sessions/early' };
    Object.assign(globalThis, { location, navigator: { language: 'en' }, fetch: () => new Promise(() => undefined) });
    sendFirstRequests();
    return Lines.opened.at(-1);
  };

  test('takes over the stream that was opened early, with what it had sent', async () => {
    const lines = openEarly();
    const [first, ...rest] = recorded?.events ?? [];
    lines?.onmessage?.({ data: first?.json ?? '' });
    const stream = takeStream('early');
    expect(Lines.opened.at(-1)).toBe(lines);
    for (const { json } of rest) lines?.onmessage?.({ data: json });
    lines?.onmessage?.({ data: JSON.stringify(REPLAY_END) });
    await replayed(stream);
    expect(comparable(stream.conversation().items)).toEqual(recorded?.items);
    stream.close();
  });

  test('opens another stream when the early one was refused', () => {
    const lines = openEarly();
    if (lines) lines.readyState = Lines.CLOSED;
    const stream = takeStream('early');
    expect(Lines.opened.at(-1)).not.toBe(lines);
    stream.close();
  });
});
