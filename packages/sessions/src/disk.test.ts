import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { testSessions } from '../test/harness.ts';
import { MIGRATIONS } from './store/migrations.ts';
import { say } from './testing.ts';

/** Makes every write to the journal fail, as a full disk does, until the returned function is called. */
function fillDisk(dir: string): () => void {
  const db = openDatabase(join(dir, 'sessions.db'), { migrations: MIGRATIONS });
  db.exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  return () => {
    db.exec('DROP TRIGGER full');
    db.close();
  };
}

test('a failed journal write ends the turn, keeps acknowledged events, and recovers by itself', async () => {
  let go: () => void = () => undefined;
  const hold = new Promise<void>((resolve) => (go = resolve));
  await using setup = await testSessions([{ events: say('kept'), hold }, { events: say('after') }]);
  const id = await setup.start();
  await setup.seen(id, 'TextMessageContent');
  const freeDisk = fillDisk(setup.dir);
  go();
  await setup.sessions.turns.settled(id);
  const shown = await setup.sessions.read(id);
  expect(shown.isInterrupted).toBe(true);
  expect((await setup.sessions.list()).map(({ isInterrupted }) => isInterrupted)).toEqual([true]);
  await expect(setup.start()).rejects.toMatchObject({ code: 'SESSION_STORE_WRITE_FAILED' });

  expect(await setup.sessions.list()).toHaveLength(1);

  freeDisk();
  expect(
    (await setup.events(id))
      .map(({ type }) => type)
      .filter((type) => type !== 'CUSTOM')
      .slice(0, 3),
  ).toEqual(['RunStarted', 'TextMessageStart', 'TextMessageContent']);
  await setup.sessions.turns.resume(id);
  await setup.sessions.turns.settled(id);
  expect((await setup.sessions.read(id)).outcome).toBe('finished');
});
