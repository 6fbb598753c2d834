import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import { call, finish, say, used } from '../testing.ts';

/** Every commit of events increases the revision of its session by one. */
function commitsIn(dir: string): number {
  const db = openDatabase(join(dir, 'sessions.db'), { migrations: MIGRATIONS });
  const revision = db.prepare<[], number>('SELECT revision FROM sessions').pluck().get() ?? 0;
  db.close();
  return revision;
}

describe('the commits of a turn', () => {
  test('are two for an answer that arrives at once: its start, and all the rest', async () => {
    await using setup = await testSessions([{ events: [...say('all of it'), used(10, 3), finish('stop')] }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    expect(commitsIn(setup.dir)).toBe(2);
    const types = (await setup.events(id)).map(({ type }) => type).filter((type) => type !== 'CUSTOM');
    const text = ['TextMessageStart', 'TextMessageContent', 'TextMessageEnd'];
    expect(types).toEqual(['RunStarted', ...text, 'StateDelta', 'RunFinished']);
  });

  test('are at most four with one call: its start, the call, the result, and all the rest', async () => {
    const asks = [...call('c1', 'leggi', { percorso: 'a.txt' }), finish('tool-calls')];
    await using setup = await testSessions([{ events: asks }, { events: [...say('done'), finish('stop')] }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)?.type).toBe('RunFinished');
    expect(commitsIn(setup.dir)).toBeLessThanOrEqual(4);
  });

  test('store and show the result of a call while the model that reads it is silent', async () => {
    const asks = [...call('c1', 'leggi', { percorso: 'a.txt' }), finish('tool-calls')];
    await using setup = await testSessions([{ events: asks }, { events: [], hold: new Promise(() => undefined) }]);
    const id = await setup.start();
    await setup.seen(id, 'ToolCallResult');
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    const results = (await setup.events(id)).filter(({ type }) => type === 'ToolCallResult');
    expect(results).toEqual([expect.not.objectContaining({ interrotto: true })]);
  });

  test('close a message that is open when the turn is stopped', async () => {
    await using setup = await testSessions([{ events: say('half'), hold: new Promise(() => undefined) }]);
    const id = await setup.start();
    await setup.seen(id, 'TextMessageContent');
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    const types = (await setup.events(id)).map(({ type }) => type).filter((type) => type !== 'CUSTOM');
    expect(types.filter((type) => type === 'TextMessageEnd')).toHaveLength(1);
    expect(types.at(-1)).toBe('RunError');
  });
});

test('does not start a tool whose call could not be saved', async () => {
  await using setup = await testSessions([{ events: call('c1', 'scrivi', { percorso: 'a.txt', contenuto: 'x' }) }]);
  const db = openDatabase(join(setup.dir, 'sessions.db'), { migrations: MIGRATIONS });
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON events WHEN new.json LIKE '%ToolCallStart%'
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  const id = await setup.start({ permissions: 'Full access' });
  await setup.sessions.turns.settled(id);
  db.exec('DROP TRIGGER full');
  db.close();
  expect(setup.written).toEqual([]);
  expect((await setup.events(id)).some(({ type }) => type === 'ToolCallResult')).toBe(false);
});
