import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './errors.ts';
import { sqliteDriver } from './sqlite-driver.ts';

/**
 * A lock of the operating system, held while the process lives: released at kill -9, available to the next process
 * within a millisecond.
 */
export interface ProcessLock {
  release(): void;
}

/** Undefined when another process holds it. The file stays; only the lock on it matters. */
export function tryLock(file: string): ProcessLock | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new (sqliteDriver())(file, { timeout: 0 });
  try {
    // Journal in memory: the lock file never has a companion file that could be lost or need recovery.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (systemCode(error)?.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
  return {
    release() {
      if (!db.open) return;
      db.exec('ROLLBACK');
      db.close();
    },
  };
}

/** Whether a living process holds the lock. */
export function isLocked(file: string): boolean {
  const lock = tryLock(file);
  lock?.release();
  return lock === undefined;
}
