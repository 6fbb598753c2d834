import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { finish, say } from '../testing.ts';
import type { TurnHooks } from './turn-context.ts';

const ANSWER = { events: [...say('ok'), finish('stop')] };

/** Its hooks run after each turn until `release`; `ended` has the sessions whose hooks have ended. */
function slowHooks({ onCall }: { onCall?(): void } = {}): { hooks: TurnHooks; ended: string[]; release(): void } {
  const ended: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const hooks: TurnHooks = {
    beforeCall: async () => undefined,
    afterCall: async () => undefined,
    sessionBegins: async () => undefined,
    async turnOver({ sessionId }) {
      onCall?.();
      await released;
      ended.push(sessionId);
    },
  };
  return { hooks, ended, release };
}

describe('the hooks after a turn', () => {
  test('run after clients saw its last event', async () => {
    const order: string[] = [];
    const { hooks, release } = slowHooks({ onCall: () => order.push('hooks') });
    await using setup = await testSessions([ANSWER], { hooks });
    const id = await setup.start();
    await setup.seen(id, 'RunFinished').then(() => order.push('seen'));
    release();
    await setup.sessions.turns.hooksOver();
    expect(order).toEqual(['seen', 'hooks']);
  });

  test('do not delay the next turn', async () => {
    const { hooks, ended, release } = slowHooks();
    await using setup = await testSessions([ANSWER, ANSWER], { hooks });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.turns.resume(id, { message: 'more' });
    await setup.sessions.turns.settled(id);
    expect(ended).toEqual([]);
    release();
    await setup.sessions.turns.hooksOver();
    expect(ended).toEqual([id, id]);
  });

  test('have ended when the sessions are closed, also those of a turn that the end interrupted', async () => {
    const { hooks, ended, release } = slowHooks();
    const silent = { events: say('half'), hold: new Promise<void>(() => undefined) };
    const setup = await testSessions([ANSWER, silent], { hooks });
    const first = await setup.start();
    await setup.sessions.turns.settled(first);
    const second = await setup.start();
    await setup.seen(second, 'TextMessageContent');
    const closing = setup[Symbol.asyncDispose]();
    release();
    await closing;
    expect(ended.sort()).toEqual([first, second].sort());
  });
});
