import { createHash } from 'node:crypto';
import { type Ambient, Secret } from '@fucina/shared';
import { providersError } from '../errors.ts';
import type { KeyIndex } from '../keys/key-index.ts';
import type { KeyStore } from '../keys/key-store.ts';

/** One key per source, beside the providers' in the key store. Without a key store: PROVIDER_STORE_UNAVAILABLE. */
export interface SearchKeys {
  /** Throws SEARCH_KEY_REQUIRED, SEARCH_KEY_INVALID. `origin`: of its address, null until one is known. */
  save(source: string, key: string, origin: string | null): Promise<void>;
  remove(source: string): Promise<void>;
  /** Whether there is one for this address; a key for another address does not count. */
  has(source: string, origin: string | null): Promise<boolean>;
  read(source: string, origin: string): Promise<Secret | undefined>;
}

export interface SearchKeysNeeds {
  ambient: Ambient;
  keyStore: KeyStore;
  index: KeyIndex;
}

const MAX_KEY_LENGTH = 4096;

export function createSearchKeys({ ambient, keyStore, index }: SearchKeysNeeds): SearchKeys {
  const nameOf = (source: string): string => `search-${source}`;
  const accountOf = (source: string, fingerprint: string): string => `${nameOf(source)}/${fingerprint}`;
  const entryFor = async (source: string, origin: string | null) =>
    (await index.of(nameOf(source))).find(({ boundTo }) => boundTo === null || boundTo === origin);

  /** A key saved before its address is bound to the first address that uses it. */
  const bind = (source: string, origin: string): Promise<void> =>
    index.change(nameOf(source), (entries) => ({
      entries: entries.map((entry) => ({ ...entry, boundTo: entry.boundTo ?? origin })),
    }));

  return {
    async save(source, given, origin) {
      const key = checkedKey(given);
      const fingerprint = createHash('sha256').update(key).digest('hex');
      ambient.log.redact(key);
      await index.change(nameOf(source), (entries) => ({
        entries: [{ fingerprint, number: 1, priority: 0, origin: 'saved', boundTo: origin }],
        before: () => keyStore.write(accountOf(source, fingerprint), key),
        async after() {
          for (const gone of entries) {
            if (gone.fingerprint !== fingerprint) await keyStore.remove(accountOf(source, gone.fingerprint));
          }
        },
      }));
    },
    async remove(source) {
      await index.change(nameOf(source), (entries) => ({
        entries: [],
        async after() {
          for (const { fingerprint } of entries) await keyStore.remove(accountOf(source, fingerprint));
        },
      }));
    },
    has: async (source, origin) => (await entryFor(source, origin)) !== undefined,
    async read(source, origin) {
      const entry = await entryFor(source, origin);
      const key = entry && (await keyStore.read(accountOf(source, entry.fingerprint)));
      if (key === undefined) return undefined;
      if (entry?.boundTo === null) await bind(source, origin);
      ambient.log.redact(key);
      return new Secret(key);
    },
  };
}

function checkedKey(given: string): string {
  const key = given.trim();
  if (key === '') throw providersError('SEARCH_KEY_REQUIRED');
  const isUnfit = key.length > MAX_KEY_LENGTH || Buffer.from(key).some((byte) => byte < 0x20 || byte === 0x7f);
  if (isUnfit) throw providersError('SEARCH_KEY_INVALID');
  return key;
}
