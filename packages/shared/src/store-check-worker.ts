import { parentPort, workerData } from 'node:worker_threads';
import { systemCode } from './errors.ts';
import { sqliteDriver } from './sqlite-driver.ts';
import type { StoreCheck } from './store-check.ts';

const BUSY_MS = 2_000;

function check(file: string): StoreCheck {
  try {
    const db = new (sqliteDriver())(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
    try {
      const found = db.pragma('quick_check(1)', { simple: true });
      return found === 'ok' ? { state: 'sound' } : { state: 'damaged', detail: String(found) };
    } finally {
      db.close();
    }
  } catch (error) {
    const code = systemCode(error) ?? '';
    const detail = error instanceof Error ? error.message : code;
    const isDamaged = code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_IOERR');
    return { state: isDamaged ? 'damaged' : code.startsWith('SQLITE_BUSY') ? 'busy' : 'unchecked', detail };
  }
}

const { file } = workerData as { file: string };
parentPort?.postMessage(check(file));
