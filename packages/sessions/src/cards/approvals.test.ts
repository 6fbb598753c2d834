import type { Tool } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';

const writing = [{ events: call('c1', 'scrivi', { percorso: 'src/a.ts' }) }];

describe('an approval', () => {
  test.each([
    ['the session became Read only', { permissions: 'Read only' }, /read only/],
    ['the tool was turned off', { toolPermissions: { scrivi: 'deny' } }, /turned this tool off/],
  ] as const)('does not run the call when meanwhile %s', async (_what, patch, message) => {
    await using setup = await testSessions(writing);
    const id = await setup.start({ permissions: 'On request' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    await setup.sessions.changeSettings(id, patch);
    await setup.sessions.requests.approve(id, { requestId, isApproved: true });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual([]);
    expect(setup.model.requests[1]?.messages.find(({ role }) => role === 'tool')).toMatchObject({
      content: expect.stringMatching(message),
    });
  });

  test('covers one call and not its repetition', async () => {
    await using setup = await testSessions([...writing, { events: call('c2', 'scrivi', { percorso: 'src/a.ts' }) }]);
    const id = await setup.start({ permissions: 'On request' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    await setup.sessions.requests.approve(id, { requestId, isApproved: true });
    const events = setup.sessions.follow(id, 0, new AbortController().signal);
    let cards = 0;
    for await (const item of events) {
      if (item.kind === 'events') cards += item.events.filter(({ json }) => json.includes('ApprovalRequested')).length;
      if (cards === 2) break;
    }
    expect(setup.written).toEqual(['src/a.ts']);
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual(['src/a.ts']);
  });
});

describe('an approval of a command for the session', () => {
  /** A command runs by noting its line. */
  function commandTool(ran: string[]): Tool<{ comando: string }> {
    return {
      name: 'prova',
      description: 'runs',
      category: 'base',
      effect: 'process',
      gate: 'prova',
      input: z.object({ comando: z.string() }),
      action: ({ comando }) => ({ tipo: 'prova', comando }),
      async run({ comando }) {
        ran.push(comando);
        return { content: `ran ${comando}` };
      },
    };
  }

  /** The first two words of each command; a line with a redirect has none. */
  const commandPrefixes = async (line: string): Promise<readonly string[]> =>
    line.includes('>') ? [] : line.split(' && ').map((one) => one.split(' ').slice(0, 2).join(' '));

  async function running(
    lines: readonly string[],
    ran: string[],
    settings: Parameters<TestSessions['start']>[0] = {},
  ): Promise<{ setup: TestSessions; id: string }> {
    const answers = lines.map((comando, at) => ({ events: call(`c${at}`, 'prova', { comando }) }));
    const setup = await testSessions([...answers, { events: say('done') }], {
      tools: [commandTool(ran)],
      commandPrefixes,
    });
    return { setup, id: await setup.start({ permissions: 'On request', ...settings }) };
  }

  /** Answers the cards in order, the first for the session, and returns what they were about. */
  async function answerAll({ setup, id }: { setup: TestSessions; id: string }, isFirstWithScope = true) {
    const cards: Record<string, unknown>[] = [];
    const stop = new AbortController();
    void setup.sessions.turns.settled(id).then(() => stop.abort());
    for await (const item of setup.sessions.follow(id, 0, stop.signal)) {
      if (item.kind !== 'events') continue;
      for (const { json } of item.events) {
        const event = JSON.parse(json) as { type: string; requestId: string; azione: Record<string, unknown> };
        if (event.type !== 'ApprovalRequested') continue;
        cards.push(event.azione);
        const scope = isFirstWithScope && cards.length === 1 ? { scope: 'path' as const } : {};
        await setup.sessions.requests.approve(id, { requestId: event.requestId, isApproved: true, ...scope });
      }
    }
    return cards;
  }

  test('covers its prefix and not the neighbor', async () => {
    const ran: string[] = [];
    const lines = ['npm test', 'npm test -- --watch', 'npm publish', 'npm tests', 'npm test && npm publish'];
    const open = await running(lines, ran);
    await using _setup = open.setup;
    const cards = await answerAll(open);
    expect(cards.map(({ comando }) => comando)).toEqual([
      'npm test',
      'npm publish',
      'npm tests',
      'npm test && npm publish',
    ]);
    expect(cards[0]?.prefissi).toEqual(['npm test']);
    expect(cards[3]?.prefissi).toEqual(['npm test', 'npm publish']);
    expect(ran).toEqual(lines);
  });

  test('covers every part of a compound line, alone and in another order', async () => {
    const open = await running(['git status && npm test', 'npm test x', 'npm test && git status'], []);
    await using _setup = open.setup;
    expect(await answerAll(open)).toHaveLength(1);
  });

  test('covers a line without prefixes as it is, to the byte', async () => {
    const open = await running(['npm test > a', 'npm test > a', 'npm test > b', 'npm test >  a', 'npm test'], []);
    await using _setup = open.setup;
    const cards = await answerAll(open);
    expect(cards.map(({ comando }) => comando)).toEqual(['npm test > a', 'npm test > b', 'npm test >  a', 'npm test']);
    expect(cards[0]?.prefissi).toEqual([]);
  });

  test('covers one call when the answer names no scope', async () => {
    const open = await running(['npm test', 'npm test'], []);
    await using _setup = open.setup;
    expect(await answerAll(open, false)).toHaveLength(2);
  });

  test('leaves a tool that was allowed as a whole as it is', async () => {
    const ran: string[] = [];
    const open = await running(['npm publish', 'rm -rf x > y'], ran, { toolPermissions: { prova: 'always' } });
    await using _setup = open.setup;
    expect(await answerAll(open)).toEqual([]);
    expect(ran).toEqual(['npm publish', 'rm -rf x > y']);
  });
});

describe('input of a model', () => {
  test('a huge tool name and huge unknown arguments are truncated', async () => {
    const huge = 'n'.repeat(500_000);
    await using setup = await testSessions([
      { events: [...call('c1', huge, {}), ...call('c2', 'leggi', { [huge]: 1 }), ...call('c3', '__proto__', {})] },
    ]);
    await setup.sessions.turns.settled(await setup.start());
    const results =
      setup.model.requests[1]?.messages.flatMap((one) => (one.role === 'tool' ? [one.content] : [])) ?? [];
    expect(results).toHaveLength(3);
    for (const content of results) expect(content.length).toBeLessThan(2_100);
    expect(results[2]).toMatch(/no tool named __proto__/);
  });
});
