import type { Ambient, Secret } from '@fucina/shared';
import { providersError } from '../errors.ts';
import type { ProvidersStore, StoredHeader } from '../store.ts';
import { withKeyLock } from './key-index.ts';
import type { KeyStore } from './key-store.ts';
import { createRecentSecrets } from './recent-secrets.ts';

/**
 * Headers that the user adds to the requests of a provider. Their values are in the key store and, as keys, are sent
 * only to the origin that they were entered for. Failing stores throw PROVIDER_STORE_UNAVAILABLE.
 */
export interface ExtraHeaders {
  /** In the order entered, without their values; reads no key store. */
  list(provider: string, origin: string | null): Promise<HeaderRow[]>;
  /** What is sent to the origin. PROVIDER_STORE_UNAVAILABLE also for a value that is no longer there. */
  at(provider: string, origin: string): Promise<ExtraHeader[]>;
  /** Replaces them all; new values are bound to the origin. Throws PROVIDER_RUNTIME_INVALID and then changes nothing. */
  change(provider: string, headers: readonly HeaderChange[], origin: string | null): Promise<void>;
}

export interface ExtraHeader {
  /** Lower case. */
  name: string;
  value: Secret;
}

export interface HeaderRow {
  name: string;
  /** False when it was entered for another address. */
  isSent: boolean;
}

export interface HeaderChange {
  name: string;
  /** Absent: the stored value stays. */
  value?: string | undefined;
}

interface HeaderNeeds {
  ambient: Ambient;
  dataDir: string;
  keyStore: KeyStore;
  store: ProvidersStore;
}

const MAX_HEADERS = 16;
const MAX_VALUE = 4_096;
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/;
/** Bytes of ISO-8859-1 that are not control characters: nothing else can be sent. */
const VALUE = /^[\x20-\x7e\x80-\xff]+$/;
/** They describe the connection or the content, which is ours to send. */
const REFUSED =
  /^(host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|accept|accept-encoding|http2-settings|content-.*|proxy-.*)$/;

export function createExtraHeaders(needs: HeaderNeeds): ExtraHeaders {
  const { ambient, keyStore, store } = needs;
  const recent = createRecentSecrets(ambient);
  const accountOf = (provider: string, id: string): string => `header/${provider}/${id}`;
  const valueOf = async (provider: string, { name, id }: StoredHeader): Promise<ExtraHeader> => {
    const value = await recent.read(id, () => keyStore.read(accountOf(provider, id)));
    if (!value) throw providersError('PROVIDER_STORE_UNAVAILABLE', { reason: 'header-missing', params: { name } });
    return { name, value };
  };
  return {
    list: async (provider, origin) =>
      store.headers(provider).map(({ name, boundTo }) => ({ name, isSent: boundTo === origin })),
    async at(provider, origin) {
      const sent = store.headers(provider).filter(({ boundTo }) => boundTo === origin);
      return Promise.all(sent.map((header) => valueOf(provider, header)));
    },
    async change(provider, wanted, origin) {
      const headers = checkedHeaders(wanted);
      await withKeyLock(needs, async () => {
        const before = store.headers(provider);
        const after = headers.map((header) => entryOf(header, { before, origin, newId: ambient.newId }));
        for (const { id, value } of after) {
          if (value === undefined) continue;
          ambient.log.redact(value);
          await keyStore.write(accountOf(provider, id), value);
        }
        store.saveHeaders(
          provider,
          after.map(({ name, id, boundTo }) => ({ name, id, boundTo })),
        );
        for (const { id } of before.filter((old) => !after.some((header) => header.id === old.id))) {
          recent.drop(id);
          await keyStore.remove(accountOf(provider, id));
        }
      });
    },
  };
}

function entryOf(
  { name, value }: HeaderChange,
  { before, origin, newId }: { before: readonly StoredHeader[]; origin: string | null; newId: () => string },
): StoredHeader & { value: string | undefined } {
  if (value !== undefined && origin === null) throw refused('header-no-address', name);
  if (value !== undefined && origin !== null) return { name, id: newId(), boundTo: origin, value };
  const stored = before.find((header) => header.name === name);
  if (!stored) throw refused('header-value', name);
  return { ...stored, value: undefined };
}

function checkedHeaders(headers: readonly HeaderChange[]): HeaderChange[] {
  if (headers.length > MAX_HEADERS) throw refused('headers-too-many');
  const checked = headers.map((header) => ({
    name: header.name.trim().toLowerCase(),
    value: header.value?.trim(),
  }));
  for (const [index, { name, value }] of checked.entries()) {
    if (!NAME.test(name)) throw refused('header-name');
    if (REFUSED.test(name)) throw refused('header-refused', name);
    if (checked.findIndex((other) => other.name === name) < index) throw refused('header-twice', name);
    if (value !== undefined && (value.length > MAX_VALUE || !VALUE.test(value))) throw refused('header-value', name);
  }
  return checked;
}

/** An invalid name is not repeated: it may be a whole header that was pasted. */
function refused(reason: string, name?: string): Error {
  return providersError('PROVIDER_RUNTIME_INVALID', { reason, ...(name !== undefined && { params: { name } }) });
}
