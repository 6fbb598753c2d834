import { join } from 'node:path';
import { type Ambient, openDatabase, retryBusy, type SqliteDatabase, StoreOpenError, systemCode } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import type { ModelRecord, ModelState } from '../model-record.ts';

/** The stored data of a model: its record, and the name of the file that an engine opens. */
export interface StoredModel extends Omit<ModelRecord, 'path' | 'state'> {
  /** `unfinished`: being imported or deleted, and hidden; completed by that operation or by the next start. */
  state: ModelState | 'unfinished';
  /** One of its files. */
  entry: string;
}

export type TransferState = 'queued' | 'running' | 'verifying' | 'ready' | 'paused' | 'failed' | 'cancelled';

/** The stored data of a download; its files are those of the model with the same id. */
export interface StoredTransfer {
  id: string;
  state: TransferState;
  /** An error code of the interface. */
  reason: string | null;
  totalBytes: number;
  /** Bytes known to be on the disk at its last change of state. */
  bytes: number;
  /** ISO 8601. */
  startedAt: string;
}

export interface StoreNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that local-models.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
}

const MIGRATIONS = [
  `CREATE TABLE models (
     n INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     state TEXT NOT NULL,
     record TEXT NOT NULL
   ) STRICT;
   CREATE TABLE transfers (
     n INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     state TEXT NOT NULL,
     record TEXT NOT NULL
   ) STRICT;`,
];

/** The only file that touches local-models.db. RUNTIME_NOT_AVAILABLE when it cannot be opened. */
export interface Store {
  /** All or nothing, and on disk when it resolves. */
  write<Result>(act: () => Result): Promise<Result>;
  /** Oldest first. */
  models(): StoredModel[];
  model(id: string): StoredModel | undefined;
  saveModel(model: StoredModel): void;
  removeModel(id: string): void;
  /** Oldest first. */
  transfers(): StoredTransfer[];
  transfer(id: string): StoredTransfer | undefined;
  saveTransfer(transfer: StoredTransfer): void;
  removeTransfer(id: string): void;
  close(): void;
}

export function openStore(needs: StoreNeeds): Store {
  let opened: SqliteDatabase | undefined;
  const db = (): SqliteDatabase => {
    opened ??= openOwn(needs);
    return opened;
  };
  const all = <Row>(table: 'models' | 'transfers'): Row[] =>
    (db().prepare(`SELECT record FROM ${table} ORDER BY n`).pluck().all() as string[]).map(
      (text) => JSON.parse(text) as Row,
    );
  const one = <Row>(table: 'models' | 'transfers', id: string): Row | undefined => {
    const text = db().prepare(`SELECT record FROM ${table} WHERE id = ?`).pluck().get(id) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Row);
  };
  const save = (table: 'models' | 'transfers', row: StoredModel | StoredTransfer): void => {
    db()
      .prepare(
        `INSERT INTO ${table} (id, state, record) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, record = excluded.record`,
      )
      .run(row.id, row.state, JSON.stringify(row));
  };
  const remove = (table: 'models' | 'transfers', id: string): void =>
    void db().prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);

  return {
    write: (act) => retryBusy(needs.ambient, () => db().transaction(act).immediate()),
    models: () => all('models'),
    model: (id) => one('models', id),
    saveModel: (model) => save('models', model),
    removeModel: (id) => remove('models', id),
    transfers: () => all('transfers'),
    transfer: (id) => one('transfers', id),
    saveTransfer: (transfer) => save('transfers', transfer),
    removeTransfer: (id) => remove('transfers', id),
    close() {
      opened?.close();
      opened = undefined;
    },
  };
}

function openOwn(needs: StoreNeeds): SqliteDatabase {
  try {
    const database = openDatabase(join(needs.dataDir, 'local-models.db'), {
      migrations: MIGRATIONS,
      mustExist: needs.isInitialised,
    });
    needs.onOpened?.();
    return database;
  } catch (cause) {
    if (!(cause instanceof StoreOpenError || systemCode(cause))) throw cause;
    throw localModelsError('RUNTIME_NOT_AVAILABLE', { reason: 'store-not-opened', cause });
  }
}
