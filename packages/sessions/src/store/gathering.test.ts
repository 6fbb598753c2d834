import { join } from 'node:path';
import { setImmediate as nextPass } from 'node:timers/promises';
import { openDatabase, systemAmbient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { createJournal } from './journal.ts';
import { createSessionStore, MIGRATIONS, type SessionRecord } from './store.ts';

/** A journal whose commits take `commitMs` of a clock that only the test moves. */
async function journalWith(commitMs: number) {
  const setup = await testSessions([]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  const store = createSessionStore(openDatabase(join(setup.dir, 'sessions.db'), { migrations: MIGRATIONS }), () => 0);
  const record = store.read(id) as SessionRecord;
  const commits: number[] = [];
  let now = 0;
  const timers: (() => void)[] = [];
  const journal = createJournal({
    ambient: {
      ...systemAmbient('silent'),
      monotonic: () => now,
      timer(_ms, act) {
        timers.push(act);
        return () => undefined;
      },
    },
    store: {
      ...store,
      append(...given) {
        now += commitMs;
        commits.push(given[1].length);
        return store.append(...given);
      },
    },
  });
  return {
    commits,
    timers,
    /** Deltas at these times. */
    async receive(times: readonly number[]) {
      for (const at of times) {
        now = Math.max(now, at);
        journal.gather(record, [{ type: 'TextMessageContent', messageId: 'm', delta: 'x' }]);
        await nextPass();
      }
    },
    async [Symbol.asyncDispose]() {
      journal.close();
      store.close();
      await setup[Symbol.asyncDispose]();
    },
  };
}

test('deltas that arrive unevenly are each committed at once', async () => {
  await using setup = await journalWith(0.5);
  await setup.receive([0, 0.6, 10, 15, 15.6, 16.2, 25]);
  expect(setup.commits).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(setup.timers).toEqual([]);
});

test('deltas are batched once commits take half of the time', async () => {
  await using setup = await journalWith(0.5);
  await setup.receive(Array.from({ length: 40 }, (_, index) => index * 0.6));
  expect(setup.timers).toHaveLength(1);
  const before = setup.commits.length;
  expect(before).toBeLessThan(20);
  setup.timers[0]?.();
  expect(setup.commits.slice(before)).toEqual([40 - before]);
});
