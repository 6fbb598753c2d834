import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './errors.ts';
import { sqliteDriver } from './sqlite-driver.ts';

/** A lock of the operating system, held as long as the process lives: gone at kill -9, free to the next within a millisecond. */
export interface ProcessLock {
  release(): void;
}

/** Undefined when another process holds it. The file stays; only the lock on it matters. */
export function tryLock(file: string): ProcessLock | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new (sqliteDriver())(file, { timeout: 0 });
  try {
    // Journal in memory: the lock file then never has a companion file to lose or to recover.
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
