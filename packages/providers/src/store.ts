import { join } from 'node:path';
import { openDatabase, type SqliteDatabase, StoreOpenError, systemCode } from '@fucina/shared';
import { providersError } from './errors.ts';

/** The user's settings of one provider; absent fields use the registry. */
export interface StoredRuntime {
  endpoint?: string;
  timeoutSeconds?: number;
  /** Models that replace the provider's own list. */
  models?: string[];
  agent?: ExternalAgent;
}

/** The external agent's program. */
export interface ExternalAgent {
  command: string;
  args: string[];
  /** Passed to the agent unchanged. */
  settings: Record<string, unknown>;
}

/** A header that the user added to requests; its value is in the key store. */
export interface StoredHeader {
  /** Lower case. */
  name: string;
  /** Of its value in the key store; a new value has a new one. */
  id: string;
  /** Origin of the address that it was entered for. */
  boundTo: string;
}

/** Settings of web search; absent fields use the defaults. */
export interface StoredSearch {
  source?: string;
  /** Source → address, for sources without a fixed one. */
  endpoints?: Record<string, string>;
}

/** US dollars per million tokens. */
export interface StoredPrice {
  promptPerMillion: number;
  completionPerMillion: number;
  /** null: as other input. */
  cachedPerMillion: number | null;
}

export interface Kept {
  /** Wall time in ms. */
  at: number;
  /** JSON. */
  body: string;
}

export interface AggregatorExclusions {
  excluded: string[];
  /** Built-in exclusions that the user disabled, as `model slug`. */
  disabledBuiltIns: string[];
}

/**
 * The only file of this package that accesses the disk. Opened at first use; every failure is
 * PROVIDER_STORE_UNAVAILABLE.
 */
export interface ProvidersStore {
  runtime(provider: string): StoredRuntime | undefined;
  /** An empty one deletes the stored value. */
  saveRuntime(provider: string, runtime: StoredRuntime): void;
  headers(provider: string): StoredHeader[];
  /** An empty list deletes the stored value. */
  saveHeaders(provider: string, headers: readonly StoredHeader[]): void;
  exclusions(): AggregatorExclusions;
  saveExclusions(exclusions: AggregatorExclusions): void;
  search(): StoredSearch;
  saveSearch(search: StoredSearch): void;
  /** The user's own prices of models, by model id. */
  prices(): Record<string, StoredPrice>;
  savePrices(prices: Record<string, StoredPrice>): void;
  /** Cached responses that can be fetched again: lists of models, the public catalog. */
  kept(name: string): Kept | undefined;
  keep(name: string, kept: Kept): void;
  /** The id of this installation in the system's key store: two data folders of the same user do not share keys. */
  installationId(create: () => string): string;
  /** Increases with every change of the keys, also by another process. */
  keyRevision(): number;
  raiseKeyRevision(): void;
  close(): void;
}

const MIGRATIONS = [
  `CREATE TABLE runtime (provider TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT;
   CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  `CREATE TABLE kept (name TEXT PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;`,
];

export function createStore(dataDir: string): ProvidersStore {
  let opened: { db: SqliteDatabase; statements: Map<string, Statement>; version: Statement } | undefined;
  const open = (): NonNullable<typeof opened> => {
    const db = opened?.db ?? openDatabase(join(dataDir, 'providers.db'), { migrations: MIGRATIONS });
    opened ??= { db, statements: new Map(), version: db.prepare<[], number>('PRAGMA data_version').pluck() };
    return opened;
  };
  const sql = (text: string): Statement => {
    const { db, statements } = open();
    const known = statements.get(text);
    if (known) return known;
    const statement: Statement = db.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  const { read, write } = readOnce(sql, () => open().version.get());
  const fact = (name: string): string | undefined => read('SELECT value AS text FROM fact WHERE name = ?', name);
  const saveFact = (name: string, value: string): void => {
    write('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', name, value);
  };
  return guarded({
    runtime(provider) {
      const text = read('SELECT settings AS text FROM runtime WHERE provider = ?', provider);
      return text === undefined ? undefined : (JSON.parse(text) as StoredRuntime);
    },
    saveRuntime(provider, runtime) {
      if (Object.keys(runtime).length === 0) {
        write('DELETE FROM runtime WHERE provider = ?', provider);
        return;
      }
      const upsert = 'INSERT INTO runtime VALUES (?, ?) ON CONFLICT DO UPDATE SET settings = excluded.settings';
      write(upsert, provider, JSON.stringify(runtime));
    },
    headers: (provider) => JSON.parse(fact(`headers/${provider}`) ?? '[]') as StoredHeader[],
    saveHeaders(provider, headers) {
      if (headers.length > 0) saveFact(`headers/${provider}`, JSON.stringify(headers));
      else write('DELETE FROM fact WHERE name = ?', `headers/${provider}`);
    },
    exclusions: () => JSON.parse(fact('exclusions') ?? '{"excluded":[],"disabledBuiltIns":[]}') as AggregatorExclusions,
    saveExclusions: (exclusions) => saveFact('exclusions', JSON.stringify(exclusions)),
    search: () => JSON.parse(fact('search') ?? '{}') as StoredSearch,
    saveSearch: (search) => saveFact('search', JSON.stringify(search)),
    prices: () => JSON.parse(fact('prices') ?? '{}') as Record<string, StoredPrice>,
    savePrices: (prices) => saveFact('prices', JSON.stringify(prices)),
    kept: (name) => sql('SELECT at, body FROM kept WHERE name = ?').get(name) as Kept | undefined,
    keep(name, { at, body }) {
      const upsert =
        'INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, body = excluded.body';
      write(upsert, name, at, body);
    },
    installationId(create) {
      const known = fact('installation');
      if (known) return known;
      // If two processes start for the first time, one wins, and both read its id.
      write('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO NOTHING', 'installation', create());
      return fact('installation') ?? '';
    },
    keyRevision: () => Number(fact('keyRevision') ?? 0),
    raiseKeyRevision() {
      const raise =
        "INSERT INTO fact VALUES ('keyRevision', '1') ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1";
      write(raise);
    },
    close() {
      opened?.db.close();
      opened = undefined;
    },
  });
}

interface Statement {
  get(...values: unknown[]): unknown;
  run(...values: unknown[]): unknown;
}

/**
 * Reads each `text` once, until it is written or another process changes the file, which shows in the next pass of the
 * event loop: a model call needs several of them, some more than once.
 */
function readOnce(sql: (text: string) => Statement, fileVersion: () => unknown) {
  const known = new Map<string, string | undefined>();
  let version: unknown;
  let isChecked = false;
  const check = (): void => {
    const now = fileVersion();
    if (now !== version) known.clear();
    version = now;
    isChecked = true;
    setImmediate(() => (isChecked = false));
  };
  return {
    read(query: string, name: string): string | undefined {
      if (!isChecked) check();
      const key = `${query}\n${name}`;
      if (known.has(key)) return known.get(key);
      const row = sql(query).get(name) as { text: string } | undefined;
      known.set(key, row?.text);
      return row?.text;
    },
    write(command: string, ...values: unknown[]): void {
      known.clear();
      sql(command).run(...values);
    },
  };
}

/** Maps the driver's errors to the domain's code. */
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
