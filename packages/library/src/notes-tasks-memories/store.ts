import { join } from 'node:path';
import { type Ambient, openDatabase, type SqliteDatabase } from '@fucina/shared';

export interface StoreNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that library.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
}

export interface Store {
  /** library.db, opened at first use. Throws StoreOpenError. */
  db(): SqliteDatabase;
  close(): void;
}

/**
 * `n` increases with every write of a record: a search from the newest down needs no sorting. The full-text index
 * contains trigrams without case and accents, so that any part of a word is found.
 */
const keptTable = (name: string, text: string, columns: string): string =>
  `CREATE TABLE ${name} (
     n INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     title TEXT NOT NULL,
     ${columns},
     origin TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX ${name}_newest ON ${name} (updated_at DESC, id);
   CREATE VIRTUAL TABLE ${name}_words USING fts5 (
     title, ${text}, content = '${name}', content_rowid = 'n', tokenize = 'trigram remove_diacritics 1'
   );
   CREATE TRIGGER ${name}_added AFTER INSERT ON ${name} BEGIN
     INSERT INTO ${name}_words (rowid, title, ${text}) VALUES (new.n, new.title, new.${text});
   END;
   CREATE TRIGGER ${name}_removed AFTER DELETE ON ${name} BEGIN
     INSERT INTO ${name}_words (${name}_words, rowid, title, ${text}) VALUES ('delete', old.n, old.title, old.${text});
   END;
   CREATE TRIGGER ${name}_changed AFTER UPDATE ON ${name} BEGIN
     INSERT INTO ${name}_words (${name}_words, rowid, title, ${text}) VALUES ('delete', old.n, old.title, old.${text});
     INSERT INTO ${name}_words (rowid, title, ${text}) VALUES (new.n, new.title, new.${text});
   END;`;

const MIGRATIONS = [
  keptTable('notes', 'content', 'content TEXT NOT NULL, chosen_format TEXT'),
  keptTable('tasks', 'description', 'description TEXT, priority TEXT NOT NULL, status TEXT NOT NULL'),
  `${keptTable('memories', 'content', 'content TEXT NOT NULL, kind TEXT NOT NULL, title_key TEXT NOT NULL')}
   CREATE INDEX memories_by_title ON memories (title_key);`,
];

export function openStore({ dataDir, isInitialised, onOpened }: StoreNeeds): Store {
  let opened: SqliteDatabase | undefined;
  return {
    db() {
      if (opened) return opened;
      opened = openDatabase(join(dataDir, 'library.db'), { migrations: MIGRATIONS, mustExist: isInitialised });
      opened.function('fold', { deterministic: true, directOnly: true }, (text) => fold(String(text)));
      onOpened?.();
      return opened;
    },
    close: () => opened?.close(),
  };
}

/** Lower case, without accents. */
export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
