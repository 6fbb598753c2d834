import type { SqliteDatabase } from '@fucina/shared';

/** One compaction: the text that replaces everything up to `coveredThrough` for the model. */
export interface Compaction {
  /** ISO 8601; its id. */
  at: string;
  coveredThrough: number;
  text: string;
  tokensBefore: number;
  tokensAfter: number;
  model: string;
  reason: string;
  isUndoable: boolean;
}

export interface CompactionTable {
  /** The current one: the newest that was not undone. */
  current(key: number): Compaction | undefined;
  add(key: number, compaction: Compaction): void;
  undo(key: number, at: string): void;
  /** Those made before an instant, ISO 8601. */
  copy(from: number, to: number, until: string): void;
}

export function createCompactionTable(db: SqliteDatabase): CompactionTable {
  const columns = `at, covered_through AS coveredThrough, text, tokens_before AS tokensBefore, tokens_after AS tokensAfter,
    model, reason, is_undoable AS isUndoable`;
  const sql = {
    current: db.prepare<[number], Omit<Compaction, 'isUndoable'> & { isUndoable: number }>(
      `SELECT ${columns} FROM compactions WHERE session = ? AND is_undone = 0 ORDER BY covered_through DESC, at DESC LIMIT 1`,
    ),
    add: db.prepare(
      `INSERT INTO compactions (session, at, covered_through, text, tokens_before, tokens_after, model, reason, is_undoable)
       VALUES (@key, @at, @coveredThrough, @text, @tokensBefore, @tokensAfter, @model, @reason, @isUndoable)`,
    ),
    undo: db.prepare('UPDATE compactions SET is_undone = 1 WHERE session = ? AND at = ?'),
    copy: db.prepare(
      `INSERT INTO compactions SELECT @to, at, covered_through, text, tokens_before, tokens_after, model, reason,
         is_undoable, is_undone FROM compactions WHERE session = @from AND at < @until`,
    ),
  };
  return {
    current(key) {
      const row = sql.current.get(key);
      return row && { ...row, isUndoable: row.isUndoable === 1 };
    },
    add: (key, compaction) => void sql.add.run({ ...compaction, key, isUndoable: compaction.isUndoable ? 1 : 0 }),
    undo: (key, at) => void sql.undo.run(key, at),
    copy: (from, to, until) => void sql.copy.run({ from, to, until }),
  };
}
