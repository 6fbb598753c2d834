import { join } from 'node:path';
import { type Ambient, openDatabase, retryBusy, type SqliteDatabase } from '@fucina/shared';

export interface UsedFolder {
  id: string;
  /** Absolute real path. */
  path: string;
  uses: number;
  lastUsedAt: number;
}

export interface FolderStore {
  /** Most recent first. */
  recent(limit: number): UsedFolder[];
  /** Most used first, then most recent. */
  frequent(limit: number): UsedFolder[];
  byId(id: string): UsedFolder | undefined;
  /** Counts one more use. Waits up to 2 s for another process that writes. */
  remember(folder: { id: string; path: string }): Promise<void>;
  close(): void;
}

const MIGRATIONS = [
  `CREATE TABLE used_folders (
     id TEXT PRIMARY KEY,
     path TEXT NOT NULL UNIQUE,
     uses INTEGER NOT NULL,
     last_used_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX used_folders_recent ON used_folders (last_used_at DESC);
   CREATE INDEX used_folders_frequent ON used_folders (uses DESC, last_used_at DESC);`,
];

const COLUMNS = 'id, path, uses, last_used_at AS lastUsedAt';

export interface FolderStoreNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that files.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
}

/** files.db, opened at first use. */
export function openFolderStore({ ambient, dataDir, isInitialised, onOpened }: FolderStoreNeeds): FolderStore {
  let opened: SqliteDatabase | undefined;
  const db = (): SqliteDatabase => {
    if (opened) return opened;
    opened = openDatabase(join(dataDir, 'files.db'), { migrations: MIGRATIONS, mustExist: isInitialised });
    onOpened?.();
    return opened;
  };
  const all = (order: string, limit: number): UsedFolder[] =>
    db().prepare(`SELECT ${COLUMNS} FROM used_folders ORDER BY ${order} LIMIT ?`).all(limit) as UsedFolder[];

  return {
    recent: (limit) => all('last_used_at DESC, path', limit),
    frequent: (limit) => all('uses DESC, last_used_at DESC, path', limit),
    byId: (id) => db().prepare(`SELECT ${COLUMNS} FROM used_folders WHERE id = ?`).get(id) as UsedFolder | undefined,
    remember: ({ id, path }) =>
      retryBusy(ambient, () => {
        db()
          .prepare(
            `INSERT INTO used_folders (id, path, uses, last_used_at) VALUES (?, ?, 1, ?)
             ON CONFLICT (id) DO UPDATE SET uses = uses + 1, last_used_at = excluded.last_used_at`,
          )
          .run(id, path, ambient.now());
      }),
    close: () => opened?.close(),
  };
}
