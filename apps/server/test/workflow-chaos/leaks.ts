import { join } from 'node:path';
import { sqliteDriver } from '@fucina/shared/testing';

/**
 * Compares the stores of a stopped server: no budget is still reserved, and the charged usage equals that of the
 * sessions.
 */
export function storeLeaks(dataDir: string): string[] {
  const db = new (sqliteDriver())(join(dataDir, 'workflows.db'), { readonly: true });
  try {
    db.prepare('ATTACH ? AS s').run(join(dataDir, 'sessions.db'));
    return QUESTIONS.flatMap(([what, sql]) =>
      db
        .prepare(sql)
        .pluck()
        .all()
        .map((found) => `${what}: ${String(found)}`),
    );
  } finally {
    db.close();
  }
}

/** Each returns its problems; empty when there are none. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['a reservation is left', 'SELECT run FROM run_reservations'],
  ['a budget is still set aside', 'SELECT run || name FROM run_budgets WHERE reserved <> 0'],
  ['a journal has holes', 'SELECT run FROM run_events GROUP BY run HAVING count(*) <> max(seq)'],
  ['a history has holes', 'SELECT run FROM run_history GROUP BY run HAVING count(*) <> max(position) + 1'],
  [
    'a run counts other steps than it has',
    `SELECT key FROM runs r WHERE terminated <>
       (SELECT count(*) FROM run_nodes n WHERE n.run = r.key AND n.state IN ('succeeded', 'failed', 'cancelled', 'skipped'))`,
  ],
  ['an outcome was not told', 'SELECT key FROM runs WHERE told_seq < outcome_seq'],
  [
    'what a run paid is not what its sessions used',
    `SELECT r.run_id || ' ' || b.used || ' ' || u.used FROM runs r
     JOIN run_budgets b ON b.run = r.key AND b.name = 'promptTokens'
     JOIN (SELECT json_extract(header, '$.workflowStep.runId') AS run_id,
             sum(coalesce(json_extract(fold, '$.usage.prompt_tokens'), 0)) AS used
           FROM s.sessions WHERE json_extract(header, '$.workflowStep.runId') IS NOT NULL GROUP BY 1) u
       ON u.run_id = r.run_id
     WHERE b.used <> u.used`,
  ],
];
