import { join } from 'node:path';
import { type Ambient, AppError, tryLock } from '@fucina/shared';
import { providersError } from '../errors.ts';
import type { ProvidersStore } from '../store.ts';
import { isKeyStoreUnavailable, type KeyStore } from './key-store.ts';

/** Metadata of a key, without the key. Stored in the key store itself, beside the keys. */
export interface KeyEntry {
  /** SHA-256 of the key, lower-case hex. */
  fingerprint: string;
  /** Unique within the provider, never reused. */
  number: number;
  priority: number;
  origin: 'saved' | 'signed-in';
  /** Origin of the address that it was entered for; null until an address is known. */
  boundTo: string | null;
}

/** All entries of all providers, read from the key store at most once per change of any process. */
export interface KeyIndex {
  of(provider: string): Promise<readonly KeyEntry[]>;
  /**
   * Changes the entries of one provider; changes of all processes are serialized. `change` returns the new entries and
   * what must happen to the keys before the index is written.
   */
  change(provider: string, change: (entries: readonly KeyEntry[]) => KeyChange): Promise<void>;
}

interface KeyChange {
  entries: readonly KeyEntry[];
  /** Runs before the index is written, so that the index never names a missing key. */
  before?: () => Promise<void>;
  after?: () => Promise<void>;
}

const ACCOUNT = 'index';
const LOCK_TRIES = 100;
const LOCK_WAIT_MS = 20;
/**
 * Access to a locked key store may prompt the user: after a refusal, the prompt is not repeated for every provider.
 */
const REFUSED_MS = 5_000;

type IndexContent = Record<string, KeyEntry[]>;

interface IndexNeeds {
  ambient: Ambient;
  dataDir: string;
  keyStore: KeyStore;
  store: ProvidersStore;
}

export function createKeyIndex(needs: IndexNeeds): KeyIndex {
  const { keyStore, store } = needs;
  let cached: { revision: number; content: IndexContent } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let refused: { until: number; error: unknown } | undefined;
  const load = async (): Promise<IndexContent> => {
    const revision = store.keyRevision();
    if (cached?.revision === revision) return cached.content;
    const text = await keyStore.read(ACCOUNT);
    const content = text === undefined ? {} : await parseIndex(text);
    cached = { revision, content };
    return content;
  };

  const loadUnlessRefused = async (): Promise<IndexContent> => {
    if (refused && needs.ambient.monotonic() < refused.until) throw refused.error;
    try {
      return await load();
    } catch (error) {
      if (isKeyStoreUnavailable(error)) refused = { until: needs.ambient.monotonic() + REFUSED_MS, error };
      throw error;
    }
  };

  return {
    of: async (provider) => (await loadUnlessRefused())[provider] ?? [],
    change(provider, change) {
      const turn = last.then(() =>
        withKeyLock(needs, async () => {
          cached = undefined;
          const content = await load();
          const { entries, before, after } = change(content[provider] ?? []);
          await before?.();
          await keyStore.write(ACCOUNT, JSON.stringify({ version: 1, providers: { ...content, [provider]: entries } }));
          store.raiseKeyRevision();
          cached = undefined;
          refused = undefined;
          await after?.();
        }),
      );
      last = turn.catch(() => {}); // The caller gets the failure; the next change is not affected.
      return turn;
    },
  };
}

async function parseIndex(text: string): Promise<IndexContent> {
  const { keyIndex } = await import('./key-index-schema.ts');
  try {
    return keyIndex.parse(JSON.parse(text)).providers;
  } catch {
    // The parser's message would quote the content of the key store.
    throw providersError('PROVIDER_STORE_UNAVAILABLE', { reason: 'index-damaged' });
  }
}

/** Only one process at a time changes what the key store holds. Throws PROVIDER_STORE_UNAVAILABLE after two seconds. */
export async function withKeyLock(
  { ambient, dataDir, keyStore }: Pick<IndexNeeds, 'ambient' | 'dataDir' | 'keyStore'>,
  act: () => Promise<void>,
): Promise<void> {
  // An in-memory store is private to this process.
  if (keyStore.kind === 'memory') return act();
  for (let attempt = 0; attempt < LOCK_TRIES; attempt++) {
    const lock = tryLock(join(dataDir, 'locks', 'provider-keys'));
    if (lock) {
      try {
        return await act();
      } finally {
        lock.release();
      }
    }
    await ambient.sleep(LOCK_WAIT_MS);
  }
  throw new AppError('PROVIDER_STORE_UNAVAILABLE', { reason: 'busy' });
}
