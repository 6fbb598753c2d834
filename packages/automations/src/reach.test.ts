import { join } from 'node:path';
import { sqliteDriver } from '@fucina/shared/testing';
import { expect, test } from '@jest/globals';
import { type Fixture, fixture } from '../test/fixture.ts';

test('an automation of an older version reads any address until it is edited or its proposal is approved', async () => {
  await using place = await fixture();
  const automations = place.open();
  const lastSession = (): string => place.sessions.started.at(-1)?.sessionId ?? '';
  const asks = async (id: string) => {
    await automations.runNow(id);
    const { asksAddresses } = automations.runOf(lastSession()) ?? {};
    await place.sessions.finish(lastSession());
    return asksAddresses;
  };
  const made = await automations.create(
    { name: 'Morning', instructions: 'Look at the build.', folder: '/project', schedule: { kind: 'manual' } },
    { kind: 'window' },
  );
  expect(await asks(made.id)).toBe(true);
  makeOlder(place, made.id);
  expect(await asks(made.id)).toBe(false);
  await automations.toggle(made.id, false);
  await automations.toggle(made.id, true);
  expect(await asks(made.id)).toBe(false);
  await automations.change(made.id, { name: 'Evening' });
  expect(await asks(made.id)).toBe(true);
  makeOlder(place, made.id);
  const { runId } = await automations.runNow(made.id);
  const [run] = await automations.runs(made.id);
  if (!run) throw new Error('no run');
  await automations.self.propose(run, 'Look at the tests.');
  await place.sessions.finish(lastSession());
  await automations.decide(made.id, runId, 'approve');
  expect(await asks(made.id)).toBe(true);
});

/** Record as a version wrote it that asked for no address. */
function makeOlder(place: Fixture, id: string): void {
  const db = new (sqliteDriver())(join(place.dir.path, 'automations.db'));
  const sql = "UPDATE automations SET record = json_remove(record, '$.asksAddresses') WHERE id = ?";
  expect(db.prepare(sql).run(id).changes).toBe(1);
  db.close();
}
