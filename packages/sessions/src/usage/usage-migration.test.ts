import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { MIGRATIONS } from '../store/migrations.ts';
import { createUsageTable } from './usage-table.ts';

const BEFORE_USAGE = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE usage_calls'));
const header = JSON.stringify({ folder: '/p' });
const settings = JSON.stringify({ model: 'a:one' });
const receipt = (usd: number | null) =>
  JSON.stringify({
    type: 'CUSTOM',
    name: 'svc.ricevuta-consumo',
    value: {
      modello: 'a:one',
      usage: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: null },
      costoDichiarato: usd,
      fonteCosto: null,
      esito: 'completato',
    },
  });
const started = JSON.stringify({ type: 'RunStarted', threadId: 's', runId: 'r' });
const finished = JSON.stringify({ type: 'RunFinished', threadId: 's', runId: 'r' });

test('earlier calls and turns are counted once, without those of a copied session', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'sessions.db');
  const old = openDatabase(file, { migrations: MIGRATIONS.slice(0, BEFORE_USAGE) });
  const session = old.prepare(
    `INSERT INTO sessions (key, id, started_at, header, settings, state, fold, last_seq, root, parent)
     VALUES (?, ?, ?, ?, ?, 'concluded', '{}', 3, ?, ?)`,
  );
  const event = old.prepare('INSERT INTO events (session, seq, at, json) VALUES (?, ?, ?, ?)');
  session.run(1, 'original', 1_000, header, settings, null, null);
  session.run(2, 'copy', 5_000, header, settings, null, null);
  session.run(3, 'child', 1_500, header, settings, 1, 1);
  for (const key of [1, 2]) {
    event.run(key, 1, 1_000, started);
    event.run(key, 2, 2_000, receipt(0.5));
    event.run(key, 3, 3_000, finished);
  }
  event.run(2, 4, 6_000, receipt(null));
  event.run(3, 1, 1_500, started);
  event.run(3, 2, 1_700, receipt(0.25));
  event.run(3, 3, 1_800, finished);
  old.close();

  const db = openDatabase(file, { migrations: MIGRATIONS, mustExist: true });
  const table = createUsageTable(db);
  expect(table.since(0)).toMatchObject([{ calls: 3, promptTokens: 300, usd: 0.75, withoutCost: { calls: 1 } }]);
  expect(table.ofRoot('original')).toMatchObject([{ calls: 2, usd: 0.75 }]);
  expect(table.ofRoot('copy')).toMatchObject([{ calls: 1, usd: 0 }]);
  // The time of a sub-agent is part of the turn that started it.
  expect(table.turnsByDay(0, 10_000)).toMatchObject([{ folder: '/p', model: 'a:one', ms: 2_000 }]);
  db.prepare('DELETE FROM sessions WHERE key = 1').run();
  expect(table.ofRoot('original')).toMatchObject([{ calls: 2 }]);
  db.close();
});
