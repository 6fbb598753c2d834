import { closeSync, fdatasync, fstatSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Ambient } from './ambient.ts';
import { systemCode } from './errors.ts';
import type { SqliteDatabase } from './sqlite.ts';

export interface LogNeeds {
  ambient: Ambient;
  db: SqliteDatabase;
  /** Of the database. */
  file: string;
  /** Bytes that are free on the disk; default: as the system says. */
  freeBytes?(): number;
}

/** SQLite begins its log anew once a commit finds 1,000 pages in it; each takes 4,120 bytes. */
const FULL_BYTES = 4_300_000;
const STEP_BYTES = 256 * 1024;
const BEGIN_MS = 500;
const PAUSE_MS = 50;
/** On a disk with less, the space is left to others. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;

/**
 * Gives the log of a store the size that it will have anyway, in small steps while nothing else happens: a commit that
 * makes its file longer waits for the disk a fourth longer than one that writes over it. Zeros after the last frame are
 * no frame to SQLite, as what an earlier round of the log left. Ends with the store. Other systems than Linux: nothing.
 */
export function lengthenLog(needs: LogNeeds): void {
  if (process.platform !== 'linux') return;
  const { ambient } = needs;
  const step = (): void => {
    try {
      if (mayBeLonger(needs)) ambient.timer(PAUSE_MS, step);
    } catch (error) {
      ambient.log.warn('store.log-not-lengthened', { error });
    }
  };
  ambient.timer(BEGIN_MS, step);
}

/** One step; false when there is no other. Throws what the system says. */
function mayBeLonger({ db, file, freeBytes = () => freeBytesOf(file) }: LogNeeds): boolean {
  if (!db.open || freeBytes() < MIN_FREE_BYTES) return false;
  const log = openSync(`${file}-wal`, 'r+');
  let isHandedOver = false;
  try {
    // Nobody else makes the log longer meanwhile, in this process or another.
    if (!begin(db)) return true;
    let size: number;
    try {
      ({ size } = fstatSync(log));
      if (size < FULL_BYTES) writeSync(log, Buffer.alloc(STEP_BYTES), 0, STEP_BYTES, size);
    } finally {
      db.exec('ROLLBACK');
    }
    // On another thread: else the next commit would wait for it.
    fdatasync(log, () => closeSync(log));
    isHandedOver = true;
    return size + STEP_BYTES < FULL_BYTES;
  } finally {
    if (!isHandedOver) closeSync(log);
  }
}

/** False while another process writes. */
function begin(db: SqliteDatabase): boolean {
  try {
    db.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (systemCode(error)?.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

function freeBytesOf(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}
