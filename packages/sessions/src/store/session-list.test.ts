import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { createSessionList } from './session-list.ts';
import { createSessionStore, MIGRATIONS, type SessionRecord, type SessionStore } from './store.ts';

async function storeFixture() {
  const dir = await tempDir();
  await using setup = await testSessions([]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  const from = openDatabase(join(setup.dir, 'sessions.db'), { migrations: MIGRATIONS });
  const sample = createSessionStore(from, () => 0).read(id) as SessionRecord;
  from.close();
  const path = join(dir.path, 'sessions.db');
  const open = (): SessionStore => createSessionStore(openDatabase(path, { migrations: MIGRATIONS }), () => 0);
  const store = open();
  const other = open();
  return {
    path,
    store,
    other,
    add: (name: string, startedAt: number, by = store): SessionRecord =>
      by.create({ ...sample.header, sessionId: name, startedAt }, sample.settings, { lease: 'l' }),
    names: () => store.list().map(({ header }) => header.sessionId),
    async [Symbol.asyncDispose]() {
      store.close();
      other.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('the list of sessions', () => {
  test('reads no row a second time while nothing changes', async () => {
    await using g = await storeFixture();
    const session = g.add('a', 1);
    g.add('b', 2);
    const db = openDatabase(g.path, { migrations: MIGRATIONS });
    const reads: number[] = [];
    const list = createSessionList(db, (key) => {
      reads.push(key);
      return g.store.list().find((record) => record.key === key);
    });
    const first = list.all();
    expect(reads).toHaveLength(2);
    expect(list.all()).toBe(first);
    list.changed(session.key);
    list.all();
    expect(reads.slice(2)).toEqual([session.key]);
    db.close();
  });

  test('answers a new record for the session that changed alone', async () => {
    await using g = await storeFixture();
    const [a, b] = [g.add('a', 1), g.add('b', 2)];
    const before = g.store.list();
    g.store.append(a, [{ type: 'WorkspaceChanged', percorsi: ['x'] }]);
    const appended = g.store.list();
    expect(appended.map(({ lastSeq }) => lastSeq)).toEqual([0, 1]);
    expect(appended[0]).toBe(before[0]);
    g.store.rename(b, 'new name');
    expect(g.store.list().map(({ name }) => name)).toEqual(['new name', null]);
    g.store.writeSettings(b, { ...b.settings, model: 'ollama:other' });
    const renamed = g.store.list();
    expect(renamed[0]?.settings.model).toBe('ollama:other');
    expect(renamed[1]).toBe(appended[1]);
    expect(before.map(({ name, lastSeq }) => [name, lastSeq])).toEqual([
      [null, 0],
      [null, 0],
    ]);
  });

  test('has new sessions first, and an earlier one in its place after the clock was set back', async () => {
    await using g = await storeFixture();
    g.add('a', 10);
    expect(g.names()).toEqual(['a']);
    const later = g.add('b', 20);
    expect(g.names()).toEqual(['b', 'a']);
    g.add('c', 15);
    expect(g.names()).toEqual(['b', 'c', 'a']);
    g.store.copy(later, { ...later.header, sessionId: 'd', startedAt: 30 });
    expect(g.names()).toEqual(['d', 'b', 'c', 'a']);
    g.store.remove(later);
    expect(g.names()).toEqual(['d', 'c', 'a']);
  });

  test('has what another process wrote', async () => {
    await using g = await storeFixture();
    const a = g.add('a', 1);
    const [before] = g.store.list();
    g.add('b', 2, g.other);
    expect(g.names()).toEqual(['b', 'a']);
    expect(g.store.list()[1]).toBe(before);
    g.other.rename(a, 'elsewhere');
    expect(g.store.list().map(({ name }) => name)).toEqual([null, 'elsewhere']);
    g.other.remove(a);
    expect(g.names()).toEqual(['b']);
  });

  test('leaves out the agents of a session that was deleted', async () => {
    await using g = await storeFixture();
    const parent = g.add('parent', 1);
    g.store.create({ ...parent.header, sessionId: 'child', startedAt: 2 }, parent.settings, { lease: 'l', parent });
    expect(g.names()).toEqual(['child', 'parent']);
    g.store.remove(parent);
    expect(g.names()).toEqual([]);
  });
});
