import type { ExternalTurn, ModelClient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { finish, say } from '../testing.ts';

/** A model that is an external agent: it runs `act` with the session's tools, then reports the result. */
function agent(act: (hands: ExternalTurn, signal: AbortSignal) => Promise<string>): ModelClient {
  return {
    async *stream({ external }, signal) {
      if (!external) throw new Error('no hands');
      yield [...say(await act(external, signal)), finish('stop')];
    },
  };
}

test('an external agent writes through the permission gate, and its calls are in the journal', async () => {
  await using setup = await testSessions([], {
    model: agent(async (hands, signal) => {
      const allowed = await hands.runTool({ name: 'scrivi', arguments: { percorso: 'a.ts' } }, signal);
      const unknown = await hands.runTool({ name: 'nothing', arguments: {} }, signal);
      const plan = {
        effect: 'process' as const,
        gate: 'shell' as const,
        action: { tipo: 'shell', comando: 'rm -r .' },
      };
      return `${allowed.isError} ${unknown.isError} ${await hands.mayDo(plan, signal)}`;
    }),
  });
  const id = await setup.start({ permissions: 'On request' });
  for (const isApproved of [true, false]) {
    let card = await setup.sessions.requests.pending(id);
    while (!card) {
      await new Promise((resolve) => setImmediate(resolve));
      card = await setup.sessions.requests.pending(id);
    }
    await setup.sessions.requests.approve(id, { requestId: card.requestId, isApproved });
  }
  await setup.sessions.turns.settled(id);
  const events = await setup.events(id);
  expect(events.flatMap((event) => (event.type === 'TextMessageContent' ? [event.delta] : []))).toEqual([
    'false true false',
  ]);
  expect(setup.written).toEqual(['a.ts']);
  expect(events.filter(({ type }) => type === 'ToolCallResult')).toHaveLength(2);
});
