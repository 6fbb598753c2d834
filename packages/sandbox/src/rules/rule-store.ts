import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Ambient, openDatabase, retryBusy, type SqliteDatabase } from '@fucina/shared';

export interface RuleStoreNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that sandbox.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
}

export interface StoredRule {
  id: string;
  /** In the form of `readSandboxRule`. */
  rule: string;
  /** Absolute real path of the project; null for all projects. */
  folder: string | null;
  /** Wall time. */
  addedAt: number;
}

export type NetworkMode = 'off' | 'listed' | 'open';

export type ModeScope = 'everywhere' | 'project' | 'session';

const MIGRATIONS = [
  `CREATE TABLE rules (
     n INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     folder TEXT NOT NULL,
     rule TEXT NOT NULL,
     added_at INTEGER NOT NULL,
     UNIQUE (folder, rule)
   ) STRICT;
   CREATE TABLE network_modes (
     scope TEXT NOT NULL,
     name TEXT NOT NULL,
     mode TEXT NOT NULL,
     PRIMARY KEY (scope, name)
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE denied_tools (
     scope TEXT NOT NULL,
     name TEXT NOT NULL,
     tool TEXT NOT NULL,
     PRIMARY KEY (scope, name, tool)
   ) STRICT, WITHOUT ROWID;`,
];

/** The only file that touches sandbox.db. The server and the command line share it. */
export interface RuleStore extends Disposable {
  /** The oldest first. */
  list(): StoredRule[];
  /** Adding the same rule again returns the existing one. */
  add(rule: string, folder: string | null): Promise<StoredRule>;
  /** False when there is none. */
  remove(id: string): Promise<boolean>;
  /** By name. */
  modes(scope: ModeScope): ReadonlyMap<string, NetworkMode>;
  setMode(scope: ModeScope, name: string, mode: NetworkMode | null): Promise<void>;
  /** Tools that the user denied, by scope and name. */
  deniedTools(): readonly DeniedTool[];
  setDenied(denied: DeniedTool, isDenied: boolean): Promise<void>;
}

export interface DeniedTool {
  scope: ModeScope;
  /** A folder, a session, or empty for the global scope. */
  name: string;
  tool: string;
}

interface Row {
  id: string;
  folder: string;
  rule: string;
  added_at: number;
}

/** Opened at its first use. Reading creates nothing. */
export function createRuleStore(needs: RuleStoreNeeds): RuleStore {
  const { ambient, dataDir, isInitialised = false, onOpened } = needs;
  const file = join(dataDir, 'sandbox.db');
  let opened: SqliteDatabase | undefined;
  const open = (): SqliteDatabase => {
    if (opened) return opened;
    opened = openDatabase(file, { migrations: MIGRATIONS, mustExist: isInitialised });
    onOpened?.();
    return opened;
  };
  const openToRead = (): SqliteDatabase | undefined => (isInitialised || existsSync(file) ? open() : undefined);
  const write = <Result>(act: (db: SqliteDatabase) => Result): Promise<Result> =>
    retryBusy(ambient, () => {
      const db = open();
      return db.transaction(() => act(db)).immediate();
    });

  return {
    list: () => (openToRead()?.prepare('SELECT * FROM rules ORDER BY n').all() as Row[] | undefined)?.map(ruleOf) ?? [],
    add: (rule, folder) =>
      write((db) => {
        db.prepare('INSERT INTO rules (id, folder, rule, added_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
          ambient.newId(),
          folder ?? '',
          rule,
          ambient.now(),
        );
        return ruleOf(db.prepare('SELECT * FROM rules WHERE folder = ? AND rule = ?').get(folder ?? '', rule) as Row);
      }),
    async remove(id) {
      if (!openToRead()) return false;
      return write((db) => db.prepare('DELETE FROM rules WHERE id = ?').run(id).changes > 0);
    },
    modes: (scope) =>
      new Map(
        (openToRead()?.prepare('SELECT name, mode FROM network_modes WHERE scope = ?').raw().all(scope) as
          | [string, NetworkMode][]
          | undefined) ?? [],
      ),
    async setMode(scope, name, mode) {
      if (mode === null && !openToRead()) return;
      await write((db) => {
        if (mode === null) db.prepare('DELETE FROM network_modes WHERE scope = ? AND name = ?').run(scope, name);
        else
          db.prepare('INSERT OR REPLACE INTO network_modes (scope, name, mode) VALUES (?, ?, ?)').run(
            scope,
            name,
            mode,
          );
      });
    },
    deniedTools: () =>
      (openToRead()?.prepare('SELECT scope, name, tool FROM denied_tools').all() as DeniedTool[] | undefined) ?? [],
    async setDenied({ scope, name, tool }, isDenied) {
      if (!isDenied && !openToRead()) return;
      const sql = isDenied
        ? 'INSERT INTO denied_tools (scope, name, tool) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
        : 'DELETE FROM denied_tools WHERE scope = ? AND name = ? AND tool = ?';
      await write((db) => db.prepare(sql).run(scope, name, tool));
    },
    [Symbol.dispose]() {
      opened?.close();
      opened = undefined;
    },
  };
}

const ruleOf = ({ id, folder, rule, added_at }: Row): StoredRule => ({
  id,
  rule,
  folder: folder === '' ? null : folder,
  addedAt: added_at,
});
