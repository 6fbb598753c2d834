import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { bench } from '../../test/harness.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import { call, finish, say, used } from '../testing.ts';

/** Every commit of events raises the revision of its session by one. */
function commitsIn(dir: string): number {
  const db = openDatabase(join(dir, 'sessions.db'), { migrations: MIGRATIONS });
  const revision = db.prepare<[], number>('SELECT revision FROM sessions').pluck().get() ?? 0;
  db.close();
  return revision;
}

describe('the commits of a turn', () => {
  test('are two for an answer that arrives at once: its start, and all the rest', async () => {
    await using b = await bench([{ events: [...say('all of it'), used(10, 3), finish('stop')] }]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    expect(commitsIn(b.dir)).toBe(2);
    const types = (await b.events(id)).map(({ type }) => type).filter((type) => type !== 'CUSTOM');
    const text = ['TextMessageStart', 'TextMessageContent', 'TextMessageEnd'];
    expect(types).toEqual(['RunStarted', ...text, 'StateDelta', 'RunFinished']);
  });

  test('are at most four with one call: its start, the call, the result, and all the rest', async () => {
    const asks = [...call('c1', 'leggi', { percorso: 'a.txt' }), finish('tool-calls')];
    await using b = await bench([{ events: asks }, { events: [...say('done'), finish('stop')] }]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    expect((await b.events(id)).at(-1)?.type).toBe('RunFinished');
    expect(commitsIn(b.dir)).toBeLessThanOrEqual(4);
  });

  test('close a message that is open when the turn is stopped', async () => {
    await using b = await bench([{ events: say('half'), hold: new Promise(() => undefined) }]);
    const id = await b.start();
    await b.seen(id, 'TextMessageContent');
    await b.sessions.turns.stop(id);
    await b.sessions.turns.settled(id);
    const types = (await b.events(id)).map(({ type }) => type).filter((type) => type !== 'CUSTOM');
    expect(types.filter((type) => type === 'TextMessageEnd')).toHaveLength(1);
    expect(types.at(-1)).toBe('RunError');
  });
});

test('does not start a tool whose call could not be saved', async () => {
  await using b = await bench([{ events: call('c1', 'scrivi', { percorso: 'a.txt', contenuto: 'x' }) }]);
  const db = openDatabase(join(b.dir, 'sessions.db'), { migrations: MIGRATIONS });
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON events WHEN new.json LIKE '%ToolCallStart%'
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  const id = await b.start({ permissions: 'Full access' });
  await b.sessions.turns.settled(id);
  db.exec('DROP TRIGGER full');
  db.close();
  expect(b.written).toEqual([]);
  expect((await b.events(id)).some(({ type }) => type === 'ToolCallResult')).toBe(false);
});
