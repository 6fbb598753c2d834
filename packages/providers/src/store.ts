import { join } from 'node:path';
import { openDatabase, type SqliteDatabase, StoreOpenError, systemCode } from '@fucina/shared';
import { providersError } from './errors.ts';

/** What a person chose about one provider; absent fields follow the registry. */
export interface StoredRuntime {
  endpoint?: string;
  timeoutSeconds?: number;
  /** Models to offer in place of the provider's own list. */
  models?: string[];
  agent?: ExternalAgent;
}

/** The external agent's program. */
export interface ExternalAgent {
  command: string;
  args: string[];
  /** Handed to the agent unread. */
  settings: Record<string, unknown>;
}

export interface AggregatorExclusions {
  excluded: string[];
  /** Built-in exclusions a person switched off, as `model slug`. */
  disabledBuiltIns: string[];
}

/** The only file of this package that touches the disk. Opened at first use; every failure is PROVIDER_STORE_UNAVAILABLE. */
export interface ProvidersStore {
  runtime(provider: string): StoredRuntime | undefined;
  runtimes(): Map<string, StoredRuntime>;
  /** `undefined` forgets what was stored. */
  saveRuntime(provider: string, runtime: StoredRuntime | undefined): void;
  exclusions(): AggregatorExclusions;
  saveExclusions(exclusions: AggregatorExclusions): void;
  /** Names this installation in the system's key store: two data folders of one person do not share keys. */
  installationId(create: () => string): string;
  /** Rises with every change of the keys, also by another process. */
  keyRevision(): number;
  raiseKeyRevision(): void;
  close(): void;
}

const MIGRATIONS = [
  `CREATE TABLE runtime (provider TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT;
   CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
];

export function createStore(dataDir: string): ProvidersStore {
  let opened: SqliteDatabase | undefined;
  const database = (): SqliteDatabase => {
    opened ??= openDatabase(join(dataDir, 'providers.db'), { migrations: MIGRATIONS });
    return opened;
  };
  const fact = (name: string): string | undefined =>
    database().prepare<[string], { value: string }>('SELECT value FROM fact WHERE name = ?').get(name)?.value;
  const saveFact = (name: string, value: string): void => {
    database()
      .prepare('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
      .run(name, value);
  };
  return guarded({
    runtime(provider) {
      const row = database()
        .prepare<[string], { settings: string }>('SELECT settings FROM runtime WHERE provider = ?')
        .get(provider);
      return row && (JSON.parse(row.settings) as StoredRuntime);
    },
    runtimes() {
      const rows = database().prepare<[], { provider: string; settings: string }>('SELECT * FROM runtime').all();
      return new Map(rows.map(({ provider, settings }) => [provider, JSON.parse(settings) as StoredRuntime]));
    },
    saveRuntime(provider, runtime) {
      if (!runtime || Object.keys(runtime).length === 0) {
        database().prepare('DELETE FROM runtime WHERE provider = ?').run(provider);
        return;
      }
      database()
        .prepare('INSERT INTO runtime VALUES (?, ?) ON CONFLICT DO UPDATE SET settings = excluded.settings')
        .run(provider, JSON.stringify(runtime));
    },
    exclusions: () => JSON.parse(fact('exclusions') ?? '{"excluded":[],"disabledBuiltIns":[]}') as AggregatorExclusions,
    saveExclusions: (exclusions) => saveFact('exclusions', JSON.stringify(exclusions)),
    installationId(create) {
      const claim = database().prepare('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO NOTHING');
      const known = fact('installation');
      if (known) return known;
      claim.run('installation', create());
      return fact('installation') ?? '';
    },
    keyRevision: () => Number(fact('keyRevision') ?? 0),
    raiseKeyRevision: () => {
      database()
        .prepare(
          `INSERT INTO fact VALUES ('keyRevision', '1') ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
        )
        .run();
    },
    close() {
      opened?.close();
      opened = undefined;
    },
  });
}

/** Turns the driver's failures into the domain's code. */
function guarded(store: ProvidersStore): ProvidersStore {
  const entries = Object.entries(store).map(([name, method]) => [
    name,
    (...args: unknown[]): unknown => {
      try {
        return (method as (...args: unknown[]) => unknown)(...args);
      } catch (cause) {
        if (cause instanceof StoreOpenError || systemCode(cause)) {
          throw providersError('PROVIDER_STORE_UNAVAILABLE', { reason: 'settings-store', cause });
        }
        throw cause;
      }
    },
  ]);
  return Object.fromEntries(entries) as ProvidersStore;
}
