import type { SessionEvent } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, finish, say } from '../testing.ts';

const shown = (events: readonly SessionEvent[]): string[] =>
  events.map(({ type }) => type).filter((type) => type !== 'CUSTOM');
const lastWords = (setup: TestSessions): unknown => setup.model.requests.at(-1)?.messages.at(-1);
const user = (text: string): unknown => ({ role: 'user', content: [{ type: 'text', text }] });
const held = () => {
  let release: () => void = () => undefined;
  return { hold: new Promise<void>((resolve) => (release = resolve)), release: () => release() };
};

describe('a queued message', () => {
  test('is delivered at the end of the turn, in order, within the same turn', async () => {
    const { hold, release } = held();
    await using setup = await testSessions([{ events: say('one'), hold }]);
    const id = await setup.start();
    expect(await setup.sessions.turns.queue(id, { message: 'first' })).toMatchObject({ position: 1 });
    const { queue } = await setup.sessions.turns.queue(id, { message: 'second' });
    expect(queue.messages.map(({ input }) => input.message)).toEqual(['first', 'second']);
    release();
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    expect(events.filter(({ type }) => type === 'RunStarted' || type === 'RunFinished')).toHaveLength(2);
    expect(events.flatMap((event) => (event.type === 'QueuedMessageDelivered' ? [event.testo] : []))).toEqual([
      'first',
      'second',
    ]);
    expect(lastWords(setup)).toEqual(user('second'));
    expect((await setup.sessions.turns.readQueue(id)).messages).toEqual([]);
  });

  test('sent while the turn is stopping starts the next turn', async () => {
    const { hold } = held();
    await using setup = await testSessions([{ events: say('one'), hold }, { events: say('two') }]);
    const id = await setup.start();
    const { queue } = await setup.sessions.turns.queue(id, { message: 'now' });
    while (setup.model.requests.length === 0) await new Promise((done) => setImmediate(done));
    const stopping = setup.sessions.turns.stop(id);
    const sent = await setup.sessions.turns.sendQueued(id, queue.messages[0]?.id ?? '');
    await stopping;
    expect(sent).toMatchObject({ mode: 'resumed', queue: { messages: [] } });
    await setup.sessions.turns.settled(id);
    expect(lastWords(setup)).toEqual(user('now'));
  });

  test('is refused when no turn runs, and an unknown one is not found', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await expect(setup.sessions.turns.queue(id, { message: 'late' })).rejects.toMatchObject({
      code: 'SESSION_NOT_READY',
    });
    await expect(setup.sessions.turns.unqueue(id, 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await setup.sessions.turns.unqueue(id)).toMatchObject({ removed: null });
  });

  test('survives a stop and a restart and can then be sent as a turn', async () => {
    const { hold } = held();
    await using setup = await testSessions([{ events: say('one'), hold }]);
    const id = await setup.start();
    await setup.sessions.turns.queue(id, { message: 'kept' });
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    expect(await setup.sessions.turns.readQueue(id)).toMatchObject({ isPaused: true });
    await using again = await setup.reopen();
    const { messages, isPaused } = await again.sessions.turns.readQueue(id);
    expect([messages.length, isPaused]).toEqual([1, true]);
    const sent = await again.sessions.turns.sendQueued(id, messages[0]?.id ?? '');
    expect(sent).toMatchObject({ mode: 'resumed', queue: { messages: [], isPaused: false } });
    await again.sessions.turns.settled(id);
    expect(lastWords(again)).toEqual(user('kept'));
  });

  test('streams the queue after the replay and on every change', async () => {
    const { hold, release } = held();
    await using setup = await testSessions([{ events: say('one'), hold }]);
    const id = await setup.start();
    const lengths: number[] = [];
    const reader = (async () => {
      for await (const item of setup.sessions.follow(id, 0, new AbortController().signal)) {
        if (item.kind === 'replayed') void setup.sessions.turns.queue(id, { message: 'next' }).then(release);
        if (item.kind === 'queue') lengths.push(item.queue.messages.length);
        if (lengths.length === 3) return;
      }
    })();
    await reader;
    expect(lengths).toEqual([0, 1, 0]);
  });
});

describe('a steering message', () => {
  test('interrupts the answer and continues the same turn', async () => {
    const { hold } = held();
    await using setup = await testSessions([{ events: say('wrong way'), hold }, { events: say('right way') }]);
    const id = await setup.start();
    await setup.seen(id, 'TextMessageContent');
    const redirectId = '11111111-1111-4111-8111-111111111111';
    await setup.sessions.turns.redirect(id, { message: 'left instead', redirectId });
    await setup.sessions.turns.settled(id);
    expect(shown(await setup.events(id))).toEqual([
      'RunStarted',
      'TextMessageStart',
      'TextMessageContent',
      'RunRedirectRequested',
      'TextMessageEnd',
      'RunRedirectApplied',
      'TextMessageStart',
      'TextMessageContent',
      'TextMessageEnd',
      'RunFinished',
    ]);
    expect(lastWords(setup)).toEqual(user('left instead'));
  });

  test('denies the open card and skips waiting calls', async () => {
    const calls = [...call('c1', 'scrivi', { percorso: 'a' }), ...call('c2', 'scrivi', { percorso: 'b' })];
    await using setup = await testSessions([{ events: calls }, { events: say('as you wish') }]);
    const id = await setup.start({ permissions: 'On request' });
    await setup.seen(id, 'ApprovalRequested');
    await setup.sessions.turns.redirect(id, { message: 'write nothing' });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual([]);
    const events = await setup.events(id);
    expect(events.find(({ type }) => type === 'ApprovalResolved')).toMatchObject({ approvato: false });
    const results = events.flatMap((event) => (event.type === 'ToolCallResult' ? [event.content] : []));
    expect(results).toHaveLength(2);
    for (const content of results) expect(content).toMatch(/new instruction/);
  });

  test('is single, idempotent, and needs a running turn', async () => {
    const { hold } = held();
    await using setup = await testSessions([{ events: call('c1', 'shell', {}), hold }]);
    const id = await setup.start();
    await setup.seen(id, 'ToolCallStart');
    const redirectId = '22222222-2222-4222-8222-222222222222';
    const first = setup.sessions.turns.redirect(id, { message: 'a', redirectId });
    const again = setup.sessions.turns.redirect(id, { message: 'a', redirectId });
    expect(await Promise.all([first, again])).toEqual([{ redirectId }, { redirectId }]);
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).filter(({ type }) => type === 'RunRedirectRequested')).toHaveLength(1);
    await expect(setup.sessions.turns.redirect(id, { message: 'b' })).rejects.toMatchObject({
      code: 'SESSION_NOT_READY',
    });
  });

  test('fails when the program dies before delivery, and is cancelled when the user stops', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await setup.seen(id, 'ToolCallOutput');
    await setup.sessions.turns.redirect(id, { message: 'later' });
    await expect(setup.sessions.turns.redirect(id, { message: 'b' })).rejects.toMatchObject({
      code: 'SESSION_NOT_READY',
      reason: 'redirect-in-progress',
    });
    await using again = await setup.reopen();
    expect((await again.events(id)).find(({ type }) => type === 'RunRedirectFailed')).toMatchObject({
      code: 'SESSION_INTERRUPTED',
    });
    await setup.sessions.turns.stop(id);
  });

  test('sent from the queue is removed from it', async () => {
    const { hold } = held();
    await using setup = await testSessions([{ events: say('wrong'), hold }]);
    const id = await setup.start();
    await setup.seen(id, 'TextMessageContent');
    const { queue } = await setup.sessions.turns.queue(id, { message: 'now' });
    const sent = await setup.sessions.turns.sendQueued(id, queue.messages[0]?.id ?? '');
    expect(sent).toMatchObject({ mode: 'redirected', queue: { messages: [] }, redirectId: expect.any(String) });
    await setup.sessions.turns.settled(id);
    expect(lastWords(setup)).toEqual(user('now'));
  });
});

describe('a repeated call', () => {
  test('is reported to the model from the third repetition on', async () => {
    const again = (id: string) => ({
      events: [...call(id, 'leggi', { percorso: 'a' }), finish('tool-calls' as const)],
    });
    await using setup = await testSessions([again('c1'), again('c2'), again('c3')]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const results = (await setup.events(id)).flatMap((event) =>
      event.type === 'ToolCallResult' ? [event.content] : [],
    );
    expect(results.map((content) => content.includes('same call 3 times'))).toEqual([false, false, true]);
  });
});
