import type { SqliteDatabase } from '@fucina/shared';

/** A result as views name it. */
export interface StepResult {
  resultId: string;
  /** 64 hexadecimal digits. */
  sha256: string;
  bytes: number;
  kind: string;
  contentType: string;
}

const COLUMNS = 'result_id AS resultId, sha256, bytes, kind, content_type AS contentType';

interface StepKey {
  run: number;
  ord: number;
}

/** The first `limit` results of a step, the earliest first, and how many there are. */
export function resultsOf(
  db: SqliteDatabase,
  { run, ord }: StepKey,
  limit: number,
): { total: number; results: StepResult[] } {
  const total =
    db
      .prepare<[number, number], number>('SELECT count(*) FROM run_results WHERE run = ? AND node = ?')
      .pluck()
      .get(run, ord) ?? 0;
  const results = db
    .prepare<[number, number, number], StepResult>(
      `SELECT ${COLUMNS} FROM run_results WHERE run = ? AND node = ? ORDER BY position LIMIT ?`,
    )
    .all(run, ord, limit);
  return { total, results };
}

export function resultOf(db: SqliteDatabase, { run, ord }: StepKey, resultId: string): StepResult | undefined {
  return db
    .prepare<[string, number, number], StepResult>(
      `SELECT ${COLUMNS} FROM run_results WHERE result_id = ? AND run = ? AND node = ?`,
    )
    .get(resultId, run, ord);
}
