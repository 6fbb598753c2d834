import type { SessionEvent, StoredEvent } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { say } from '../testing.ts';
import { createCoalescer } from './coalesce.ts';

const stored = (events: SessionEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ seq: index + 1, at: 0, json: JSON.stringify({ ...event, _sequenza: index + 1 }) }));
const text = (messageId: string, delta: string): SessionEvent => ({ type: 'TextMessageContent', messageId, delta });

describe('replaying a stream', () => {
  test('merges adjacent deltas of one message and keeps the last sequence number', () => {
    const coalescer = createCoalescer();
    const out = coalescer.push(
      stored([
        text('m', 'a'),
        text('m', 'b'),
        { type: 'TextMessageEnd', messageId: 'm' },
        text('n', 'c'),
        text('m', 'd'),
      ]),
    );
    out.push(...coalescer.flush());
    expect(out.map(({ json }) => JSON.parse(json))).toEqual([
      { type: 'TextMessageContent', messageId: 'm', delta: 'ab', _sequenza: 2 },
      { type: 'TextMessageEnd', messageId: 'm', _sequenza: 3 },
      { type: 'TextMessageContent', messageId: 'n', delta: 'c', _sequenza: 4 },
      { type: 'TextMessageContent', messageId: 'm', delta: 'd', _sequenza: 5 },
    ]);
  });

  test('merges across pages and leaves single events unchanged', () => {
    const coalescer = createCoalescer();
    const [first, second] = stored([text('m', 'a'), text('m', 'b')]) as [StoredEvent, StoredEvent];
    expect(coalescer.push([first])).toEqual([]);
    expect(coalescer.push([second])).toEqual([]);
    expect(coalescer.flush()).toHaveLength(1);
    coalescer.push([first]);
    expect(coalescer.flush()).toEqual([first]);
    expect(coalescer.flush()).toEqual([]);
  });

  test('lets the first events leave before it reads the rest of a long session', async () => {
    await using setup = await testSessions([{ events: Array.from({ length: 6_000 }, () => say('word ')).flat() }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const order: string[] = [];
    for await (const item of setup.sessions.follow(id, 0, new AbortController().signal)) {
      if (item.kind === 'replayed') break;
      order.push(item.kind);
      // A socket is written in a phase of the event loop, never between two promises.
      if (order.length === 1) setImmediate(() => order.push('loop'));
    }
    expect(order).toEqual(['events', 'loop', 'events']);
  });

  test('starts after the client’s last sequence number, even within a message', async () => {
    await using setup = await testSessions([{ events: [...say('one '), ...say('two '), ...say('three')] }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const stop = new AbortController();
    for await (const item of setup.sessions.follow(id, 4, stop.signal)) {
      if (item.kind !== 'events') break;
      expect(JSON.parse(item.events[0]?.json ?? '')).toMatchObject({ delta: 'two three', _sequenza: 6 });
    }
  });
});

describe('following a stream', () => {
  test('loses and repeats nothing between replay and live events', async () => {
    let release: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    await using setup = await testSessions([{ events: say('early'), hold }, { events: say('late') }]);
    const id = await setup.start();
    const seen: number[] = [];
    const stop = new AbortController();
    const reader = (async () => {
      for await (const item of setup.sessions.follow(id, 0, stop.signal)) {
        if (item.kind === 'events') seen.push(...item.events.map(({ seq }) => seq));
        if (item.kind === 'events' && item.events.some(({ json }) => json.includes('RunFinished'))) return;
      }
    })();
    await setup.seen(id, 'TextMessageContent');
    release();
    await reader;
    expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('receives commits of another process', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const other = setup.beside();
    const stop = new AbortController();
    const seen: string[] = [];
    const reader = (async () => {
      for await (const item of other.follow(id, 0, stop.signal)) {
        if (item.kind === 'events')
          seen.push(...item.events.map(({ json }) => (JSON.parse(json) as SessionEvent).type));
        if (seen.filter((type) => type === 'RunFinished').length === 2) return;
      }
    })();
    await setup.sessions.turns.resume(id, { message: 'again' });
    await reader;
    await other[Symbol.asyncDispose]();
    expect(seen.filter((type) => type === 'RunStarted')).toHaveLength(2);
  });

  test('delivers a batch of any size to a waiting reader, and ends for one too far behind', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const long = 'x'.repeat(2 * 1024 * 1024);
    const open = (): ReturnType<typeof setup.sessions.follow> =>
      setup.sessions.follow(id, 3, new AbortController().signal);
    const [waiting, behind] = [open()[Symbol.asyncIterator](), open()[Symbol.asyncIterator]()];
    for (const reader of [waiting, behind]) {
      for (let item = await reader.next(); item.value.kind !== 'queue'; ) item = await reader.next();
    }
    const coming = waiting.next();
    await setup.sessions.turns.resume(id, { message: long });
    const { value } = await coming;
    expect(value.kind === 'events' && value.events[0]?.json).toContain(long);
    await setup.sessions.turns.settled(id);
    await setup.sessions.turns.resume(id, { message: 'and on' });
    await setup.sessions.turns.settled(id);
    expect((await waiting.next()).done).toBe(false);
    expect((await behind.next()).done).toBe(true);
  });

  test('ends when the session is deleted', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const reader = (async () => {
      for await (const item of setup.sessions.follow(id, 0, new AbortController().signal)) {
        if (item.kind === 'replayed') await setup.sessions.remove(id);
      }
    })();
    await reader;
    await expect(setup.sessions.read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('ends for a session deleted before its first read', async () => {
  await using setup = await testSessions([{ events: say('done') }]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  const reader = setup.sessions.follow(id, 0, new AbortController().signal);
  await setup.sessions.remove(id);
  const kinds: string[] = [];
  for await (const { kind } of reader) kinds.push(kind);
  expect(kinds).toEqual(['replayed']);
});
