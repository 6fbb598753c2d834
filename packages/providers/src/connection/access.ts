import { isAppError, type Secret } from '@fucina/shared';
import type { ExtraHeader, ExtraHeaders } from '../keys/extra-headers.ts';
import type { ChosenKey, KeyPool } from '../keys/keys.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import type { OwnAddresses } from './runtime.ts';

/** The credentials of requests to one address of a provider. */
export interface Access {
  key: Secret | undefined;
  /** Headers that the user entered for this address. */
  extra: readonly ExtraHeader[];
}

export interface AccessNeeds {
  keys: Pick<KeyPool, 'choose'>;
  extraHeaders: Pick<ExtraHeaders, 'at'>;
}

export const NO_ACCESS: Access = { key: undefined, extra: [] };

/**
 * The key and the extra headers for an origin. Throws PROVIDER_STORE_UNAVAILABLE; an optional key that cannot be read
 * counts as none, but a header that the user entered must be sent.
 */
export async function findAccess(
  needs: AccessNeeds,
  record: ProviderRecord,
  origin: string,
): Promise<{ access: Access; chosen: ChosenKey | undefined }> {
  const extra = await needs.extraHeaders.at(record.id, origin);
  const chosen = record.key === 'never' ? undefined : await chooseKey(needs, record, origin);
  return { access: { key: chosen?.secret, extra }, chosen };
}

/** Credentials by provider, for its current address. */
export interface Accesses {
  /** Throws PROVIDER_STORE_UNAVAILABLE. */
  accessTo(record: ProviderRecord): Promise<Access>;
  /** Address and headers of other requests than model calls. Also throws PROVIDER_INVALID. */
  reach(provider: string): Promise<{ endpoint: string | null; headers: Record<string, string> }>;
}

export function createAccesses({ address, ...needs }: AccessNeeds & Pick<OwnAddresses, 'address'>): Accesses {
  const accessTo = async (record: ProviderRecord): Promise<Access> => {
    const { origin } = address(record);
    return origin === null ? NO_ACCESS : (await findAccess(needs, record, origin)).access;
  };
  return {
    accessTo,
    async reach(provider) {
      const record = providerOf(provider);
      const headers = providerHeaders(record, await accessTo(record), { accept: 'application/json' });
      return { endpoint: address(record).endpoint, headers };
    },
  };
}

async function chooseKey(
  { keys }: AccessNeeds,
  record: ProviderRecord,
  origin: string,
): Promise<ChosenKey | undefined> {
  try {
    return await keys.choose(record.id, origin);
  } catch (error) {
    if (record.key === 'optional' && isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) return undefined;
    throw error;
  }
}

/** A list: the vendor's library and the user may both ask for features. */
const LISTED = 'anthropic-beta';

/**
 * All headers of a request to a provider: those of its content, the key and the user's own, which replace others of the
 * same name. No other code adds credentials.
 */
export function providerHeaders(
  { keyHeader }: Pick<ProviderRecord, 'keyHeader'>,
  { key, extra }: Access,
  content: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const headers = Object.fromEntries(Object.entries(content).map(([name, value]) => [name.toLowerCase(), value]));
  if (key) headers[keyHeader] = keyHeader === 'authorization' ? `Bearer ${key.reveal()}` : key.reveal();
  for (const { name, value } of extra) {
    const before = name === LISTED ? headers[name] : undefined;
    headers[name] = before === undefined ? value.reveal() : `${before},${value.reveal()}`;
  }
  return headers;
}

/** What a provider may echo and nobody may read. */
export function secretsOf({ key, extra }: Access): string[] {
  const values = extra.map(({ value }) => value.reveal());
  // A token may be echoed without its scheme.
  const tokens = values.flatMap((value) => /^\S+ (\S+)$/.exec(value)?.[1] ?? []);
  return [...(key ? [key.reveal()] : []), ...values, ...tokens];
}
