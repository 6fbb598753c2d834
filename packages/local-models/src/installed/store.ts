import { join } from 'node:path';
import { type Ambient, openDatabase, retryBusy, type SqliteDatabase, StoreOpenError, systemCode } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import type { ModelRecord, ModelState } from '../model-record.ts';

/** What is kept of a model: its record, and beside its path the name of the file that an engine opens. */
export interface StoredModel extends Omit<ModelRecord, 'path' | 'state'> {
  /** `unfinished` is being taken in or away and seen by nobody: who does so ends it, or the next start does. */
  state: ModelState | 'unfinished';
  /** One of its files. */
  entry: string;
}

export type TransferState = 'queued' | 'running' | 'verifying' | 'ready' | 'paused' | 'failed' | 'cancelled';

/** What is kept of a download; its files are those of the model of the same id. */
export interface StoredTransfer {
  id: string;
  state: TransferState;
  /** A code, in the words of the interface. */
  reason: string | null;
  totalBytes: number;
  /** Known to be on the disk when it last changed state. */
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
  /** Everything inside happens or nothing, on the disk when it resolves. */
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
