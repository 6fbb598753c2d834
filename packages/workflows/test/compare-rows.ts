import type { SqliteDatabase } from '@fucina/shared';
import type { Reference } from './reference.ts';
import type { FakeSteps } from './run-fixture.ts';

interface Compared {
  db: SqliteDatabase;
  steps: FakeSteps;
  runId: string;
  reference: Reference;
}

/** Checks that the engine's rows match the reference, and are consistent. */
export function compareRows({ db, steps, runId, reference }: Compared, when: string): void {
  const run = db.prepare('SELECT * FROM runs WHERE run_id = ?').get(runId) as Record<string, number | string>;
  const rows = db
    .prepare(
      `SELECT d.node_id AS id, r.state, r.ord FROM run_nodes r JOIN definition_nodes d
       ON d.definition = ? AND d.ord = r.ord WHERE r.run = ? ORDER BY r.ord`,
    )
    .all(run.definition, run.key) as { id: string; state: string; ord: number }[];
  const states = Object.fromEntries(rows.map(({ id, state }) => [id, SAME[state] ?? state]));
  const differ = (what: string, found: unknown, wanted: unknown): void => {
    if (JSON.stringify(found) === JSON.stringify(wanted)) return;
    throw new Error(`${when}: ${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };
  differ('the run', run.status, reference.status);
  differ('its pause', run.pause_requested === 1, reference.isPauseRequested);
  differ('its steps', states, reference.states());
  const over = rows.filter(({ state }) => ['succeeded', 'failed', 'cancelled', 'skipped'].includes(state)).length;
  differ('the count of what is over', run.terminated, over);
  const one = (sql: string): unknown => db.prepare(sql).pluck().get(run.key);
  differ(
    'the journal',
    one('SELECT count(*) || max(seq) FROM run_events WHERE run = ?'),
    `${run.last_seq}${run.last_seq}`,
  );
  differ('the history', one('SELECT count(*) FROM run_history WHERE run = ?'), run.history_length);
  for (const { ord, state } of rows) {
    const last = db.prepare('SELECT state FROM run_history WHERE run = ? AND node = ? ORDER BY position DESC LIMIT 1');
    differ(`the history of ${ord}`, last.pluck().get(run.key, ord) ?? state, state);
  }
  const open = reference.running().length;
  differ('what is set aside', one('SELECT count(*) FROM run_reservations WHERE run = ?'), open);
  if (open === 0) differ('the reserve', one('SELECT sum(reserved) FROM run_budgets WHERE run = ?'), 0);
  const begun = steps.orders.filter((order) => order.runId === runId).length;
  const used = one(`SELECT used FROM run_budgets WHERE run = ? AND name = 'promptTokens'`);
  differ('what was paid', used, 100 * (begun - open));
}

const SAME: Readonly<Record<string, string>> = { pending: 'blocked', retry_wait: 'ready' };
