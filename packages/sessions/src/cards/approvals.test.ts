import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { call } from '../testing.ts';

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
    expect(setup.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
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
