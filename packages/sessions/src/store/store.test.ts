import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { customEvent } from '../state/custom-events.ts';
import { createSessionStore, MIGRATIONS, type SessionRecord } from './store.ts';

const EVENT = customEvent('svc.test', {});

async function storeWithSession() {
  const setup = await testSessions([]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  const db = openDatabase(join(setup.dir, 'sessions.db'), { migrations: MIGRATIONS });
  const store = createSessionStore(db, () => 0);
  const read = (): SessionRecord => store.read(id) as SessionRecord;
  return {
    store,
    read,
    /** Statements succeed, the commit does not. */
    failCommits() {
      db.exec(`CREATE TABLE refused (id TEXT REFERENCES sessions (id) DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER refuse AFTER INSERT ON events BEGIN INSERT INTO refused VALUES ('missing'); END;`);
    },
    async [Symbol.asyncDispose]() {
      store.close();
      await setup[Symbol.asyncDispose]();
    },
  };
}

test('a record stays as the database is when a commit fails', async () => {
  await using setup = await storeWithSession();
  const record = setup.read();
  setup.failCommits();
  const move = { from: 'concluded', to: 'running', lease: 'lease' } as const;
  expect(() => setup.store.append(record, [EVENT], { move })).toThrow(
    expect.objectContaining({ code: 'SESSION_STORE_WRITE_FAILED' }),
  );
  expect(record).toEqual(setup.read());
});

test('events of an outdated record come after those of another process', async () => {
  await using setup = await storeWithSession();
  const [record, other] = [setup.read(), setup.read()];
  setup.store.append(other, [EVENT, EVENT], {});
  const [stored] = setup.store.append(record, [EVENT], {}) ?? [];
  expect(stored?.seq).toBe(other.lastSeq + 1);
  expect(record).toEqual(setup.read());
});

test('a move that lost its race writes nothing, and the record shows who won', async () => {
  await using setup = await storeWithSession();
  const [record, other] = [setup.read(), setup.read()];
  const move = { from: 'concluded', to: 'running', lease: 'first' } as const;
  setup.store.append(other, [EVENT], { move });
  expect(setup.store.append(record, [EVENT], { move: { ...move, lease: 'second' } })).toBeUndefined();
  expect(record).toEqual(other);
  expect(setup.read()).toEqual(other);
});
