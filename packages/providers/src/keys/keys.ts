import { createHash } from 'node:crypto';
import type { Ambient, ModelFailure, Secret } from '@fucina/shared';
import { providersError } from '../errors.ts';
import { providerOf } from '../table/registry.ts';
import type { KeyCooldowns } from './key-cooldowns.ts';
import type { KeyEntry, KeyIndex } from './key-index.ts';
import type { KeyStore, KeyStoreState } from './key-store.ts';
import { createRecentSecrets } from './recent-secrets.ts';

/**
 * The key pool of each provider. Unknown ids throw PROVIDER_INVALID, a missing key store PROVIDER_STORE_UNAVAILABLE.
 */
export interface Keys {
  /** Replaces all keys of the provider by this one. Throws PROVIDER_KEY_REQUIRED, PROVIDER_KEY_INVALID. */
  set(provider: string, key: string): Promise<void>;
  removeAll(provider: string): Promise<void>;
  /**
   * Adding the same key again changes its priority and binds it to the current address. Also throws PROVIDER_POOL_FULL.
   */
  add(provider: string, added: NewKey): Promise<void>;
  /** Throws PROVIDER_KEY_NOT_FOUND. */
  remove(provider: string, fingerprint: string): Promise<void>;
  /** In the order of use; without the keys themselves. */
  list(provider: string): Promise<KeyRow[]>;
  /** Whether keys can be stored now, and where. */
  state(): Promise<{ kind: KeyStore['kind']; state: KeyStoreState }>;
}

/** Further functions for the model client. */
export interface KeyPool {
  /** The key to use now for an address, or undefined when none is allowed there. */
  choose(provider: string, origin: string): Promise<ChosenKey | undefined>;
  /** Fingerprints of the available keys for that address, in the order of use. */
  ready(provider: string, origin: string): Promise<string[]>;
  /** Whether there is a key for that address, one that pauses included. */
  isAny(provider: string, origin: string): Promise<boolean>;
  /** Pauses the key when the failure concerns it. */
  failed(chosen: ChosenKey, failure: ModelFailure): void;
}

export interface NewKey {
  key: string;
  /** Integer from -1000 to 1000, lower first; default 0. */
  priority?: number;
  /** `signed-in` replaces an earlier key of that origin. */
  origin?: KeyEntry['origin'];
  /** Origin of its address; default: the current one. */
  boundTo?: string;
}

export interface KeyRow {
  fingerprint: string;
  name: string;
  priority: number;
  origin: KeyEntry['origin'];
  state: 'available' | 'unavailable';
  /** Wall time in ms; null also for a key bound to another address, which never becomes available. */
  cooldownUntil: number | null;
  cause: ModelFailure['class'] | 'address-changed' | null;
}

export interface ChosenKey {
  provider: string;
  fingerprint: string;
  secret: Secret;
}

export interface KeysNeeds {
  ambient: Ambient;
  keyStore: KeyStore;
  index: KeyIndex;
  cooldowns: KeyCooldowns;
  /** Origin of the provider's current address, null when there is none yet. */
  originOf(provider: string): string | null;
}

const MAX_KEYS = 8;
const MAX_KEY_LENGTH = 4096;

export function createKeys(needs: KeysNeeds): Keys & KeyPool {
  const { keyStore, index, cooldowns } = needs;
  const kept = createRecentSecrets(needs.ambient);
  const accountOf = (provider: string, fingerprint: string): string => `${provider}/${fingerprint}`;
  const forget = async (provider: string, gone: readonly KeyEntry[]): Promise<void> => {
    for (const { fingerprint } of gone) {
      kept.drop(fingerprint);
      cooldowns.clear(fingerprint);
      await keyStore.remove(accountOf(provider, fingerprint));
    }
  };

  const usableAt = async (provider: string, origin: string): Promise<KeyEntry[]> =>
    inOrder(await index.of(provider)).filter(({ boundTo }) => boundTo === null || boundTo === origin);

  const put = async (provider: string, added: NewKey, isOnly: boolean): Promise<void> => {
    const key = checkedKey(provider, added);
    const fingerprint = createHash('sha256').update(key).digest('hex');
    needs.ambient.log.redact(key);
    await index.change(provider, (entries) => {
      const known = entries.find((entry) => entry.fingerprint === fingerprint);
      const others = entries.filter((entry) => entry !== known);
      // A new sign-in replaces the key of the previous one.
      const gone = others.filter((other) => isOnly || (added.origin === 'signed-in' && other.origin === 'signed-in'));
      if (!known && entries.length - gone.length >= MAX_KEYS) throw providersError('PROVIDER_POOL_FULL');
      const entry: KeyEntry = {
        fingerprint,
        number: known?.number ?? Math.max(0, ...entries.map(({ number }) => number)) + 1,
        priority: added.priority ?? known?.priority ?? 0,
        origin: added.origin ?? 'saved',
        boundTo: added.boundTo ?? needs.originOf(provider),
      };
      return {
        entries: [...others.filter((other) => !gone.includes(other)), entry],
        before: () => keyStore.write(accountOf(provider, fingerprint), key),
        after: () => forget(provider, gone),
      };
    });
    cooldowns.clear(fingerprint);
  };

  return {
    set: (provider, key) => put(provider, { key }, true),
    add: (provider, added) => put(provider, added, false),
    async removeAll(provider) {
      providerOf(provider);
      await index.change(provider, (entries) => ({ entries: [], after: () => forget(provider, entries) }));
    },
    async remove(provider, fingerprint) {
      providerOf(provider);
      await index.change(provider, (entries) => {
        const gone = entries.filter((entry) => entry.fingerprint === fingerprint);
        if (gone.length === 0) throw providersError('PROVIDER_KEY_NOT_FOUND');
        const left = entries.filter((entry) => entry.fingerprint !== fingerprint);
        return { entries: left, after: () => forget(provider, gone) };
      });
    },
    async list(provider) {
      providerOf(provider);
      const origin = needs.originOf(provider);
      return inOrder(await index.of(provider)).map((entry) => toRow(entry, origin, cooldowns));
    },
    state: async () => ({ kind: keyStore.kind, state: await keyStore.check() }),

    isAny: async (provider, origin) => (await usableAt(provider, origin)).length > 0,
    async ready(provider, origin) {
      const usable = await usableAt(provider, origin);
      return usable.flatMap(({ fingerprint }) => (cooldowns.of(fingerprint) ? [] : [fingerprint]));
    },
    async choose(provider, origin) {
      const usable = await usableAt(provider, origin);
      const entry = usable.find(({ fingerprint }) => !cooldowns.of(fingerprint)) ?? soonest(usable, cooldowns);
      if (!entry) return undefined;
      if (entry.boundTo === null) {
        await index.change(provider, (entries) => ({
          entries: entries.map((other) =>
            other.fingerprint === entry.fingerprint ? { ...other, boundTo: origin } : other,
          ),
        }));
      }
      const { fingerprint } = entry;
      const secret = await kept.read(fingerprint, () => keyStore.read(accountOf(provider, fingerprint)));
      return secret && { provider, fingerprint, secret };
    },
    failed({ provider, fingerprint }, failure) {
      const isOptional = providerOf(provider).key === 'optional';
      if (isOptional && failure.httpStatus === 403) return;
      cooldowns.start(fingerprint, failure.class, failure.retryAfterMs);
    },
  };
}

function checkedKey(provider: string, { key, priority = 0 }: NewKey): string {
  const record = providerOf(provider);
  const trimmed = key.trim();
  if (trimmed === '') throw providersError('PROVIDER_KEY_REQUIRED');
  const isUnfit = trimmed.length > MAX_KEY_LENGTH || Buffer.from(trimmed).some((byte) => byte < 0x20 || byte === 0x7f);
  if (isUnfit || record.key === 'never') throw providersError('PROVIDER_KEY_INVALID');
  if (!Number.isInteger(priority) || Math.abs(priority) > 1000) throw providersError('PROVIDER_KEY_INVALID');
  return trimmed;
}

function inOrder(entries: readonly KeyEntry[]): KeyEntry[] {
  return entries.toSorted((one, other) => one.priority - other.priority || one.number - other.number);
}

/**
 * When all keys are paused, the one with the shortest wait is used: a single key is never locked out by its own
 * cooldown.
 */
function soonest(entries: readonly KeyEntry[], cooldowns: KeyCooldowns): KeyEntry | undefined {
  const ends = (entry: KeyEntry): number => cooldowns.of(entry.fingerprint)?.endsAt ?? 0;
  return entries.toSorted((one, other) => ends(one) - ends(other))[0];
}

function toRow(entry: KeyEntry, origin: string | null, cooldowns: KeyCooldowns): KeyRow {
  const { fingerprint, number, priority } = entry;
  const runsInOtherProcess = entry.boundTo !== null && entry.boundTo !== origin;
  const cooldown = cooldowns.of(fingerprint);
  return {
    fingerprint,
    name: `Chiave ${number}`,
    priority,
    origin: entry.origin,
    state: runsInOtherProcess || cooldown ? 'unavailable' : 'available',
    cooldownUntil: runsInOtherProcess ? null : (cooldown?.until ?? null),
    cause: runsInOtherProcess ? 'address-changed' : (cooldown?.cause ?? null),
  };
}
