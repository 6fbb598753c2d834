import { join } from 'node:path';
import { type Ambient, openDatabase, type SqliteDatabase, StoreOpenError } from '@fucina/shared';
import { workflowsError } from '../errors.ts';
import { MIGRATIONS } from './migrations.ts';

export interface StoreNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that workflows.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
}

export interface Store {
  /** workflows.db, opened at first use. WORKFLOW_STORE_UNAVAILABLE. */
  db(): SqliteDatabase;
  close(): void;
}

export function openStore({ ambient, dataDir, isInitialised, onOpened }: StoreNeeds): Store {
  let opened: SqliteDatabase | undefined;
  const open = (): SqliteDatabase => {
    try {
      return openDatabase(join(dataDir, 'workflows.db'), { migrations: MIGRATIONS, mustExist: isInitialised });
    } catch (error) {
      if (!(error instanceof StoreOpenError)) throw error;
      ambient.log.error('workflows.not-opened', { error });
      throw workflowsError('WORKFLOW_STORE_UNAVAILABLE', { reason: error.problem, cause: error });
    }
  };
  return {
    db() {
      if (opened) return opened;
      opened = open();
      // SQLite's built-in lower() supports only ASCII.
      opened.function('lower_case', { deterministic: true, directOnly: true }, (text) => String(text).toLowerCase());
      onOpened?.();
      return opened;
    },
    close: () => opened?.close(),
  };
}
