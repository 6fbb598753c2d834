import { OWN_MODELS } from '../../wire/model-id.ts';
import type { ProviderRow, ProviderTest } from '../../wire/records.ts';

/** State of a provider's key: `elsewhere` is bound to an earlier address. */
export type Credential = 'unneeded' | 'signed-in' | 'ready' | 'resting' | 'elsewhere' | 'missing';
export type AddressState = 'own' | 'default' | 'missing';
export type TestState = 'untested' | 'reached' | 'failed';
export type Tone = 'good' | 'bad' | 'plain';

export interface Facts {
  credential: Credential;
  address: AddressState;
  test: TestState;
}

function credentialOf({ requiresKey, keyConfigured, pool, keyOrigin }: ProviderRow): Credential {
  if (keyConfigured) {
    if (!pool.some(({ state }) => state === 'available')) return 'resting';
    return keyOrigin === 'sign-in' ? 'signed-in' : 'ready';
  }
  if (pool.length > 0) return 'elsewhere';
  return requiresKey ? 'missing' : 'unneeded';
}

function addressOf({ endpoint, endpointConfigured }: ProviderRow): AddressState {
  if (endpointConfigured) return 'own';
  return endpoint === null || endpoint === '' ? 'missing' : 'default';
}

/** Key, address and test result: three independent facts. */
export function factsOf(row: ProviderRow, test: ProviderTest | null | undefined): Facts {
  return {
    credential: credentialOf(row),
    address: addressOf(row),
    test: !test ? 'untested' : test.outcome === 'reached' ? 'reached' : 'failed',
  };
}

const TONES: Record<Credential | AddressState | TestState, Tone> = {
  unneeded: 'plain',
  'signed-in': 'good',
  ready: 'good',
  resting: 'bad',
  elsewhere: 'bad',
  missing: 'plain',
  own: 'good',
  default: 'plain',
  untested: 'plain',
  reached: 'good',
  failed: 'bad',
};

export const toneOf = (state: Credential | AddressState | TestState): Tone => TONES[state];

/** The user has set something for it. */
export const isBegun = (row: ProviderRow): boolean => row.pool.length > 0 || row.endpointConfigured;

/** External agents and our own engine have neither key nor address to set here. */
export const isSettable = (row: ProviderRow): boolean => row.requiresKey || row.supportsEndpoint;

/** Why a model of this provider outside the lists cannot be used; undefined when it can. */
export function blockOf(
  row: ProviderRow,
): 'elsewhere' | 'no-key' | 'no-address' | 'no-model' | 'not-set-up' | undefined {
  if (row.id === OWN_MODELS) return 'no-model';
  const { credential, address } = factsOf(row, undefined);
  if (address === 'missing' && row.supportsEndpoint) return 'no-address';
  if (!row.requiresKey) return row.endpointConfigured ? undefined : 'not-set-up';
  if (credential === 'elsewhere') return 'elsewhere';
  return credential === 'missing' ? 'no-key' : undefined;
}

/** The parts of a cloud provider's address. */
export const PLATFORM_FIELDS = {
  azure: ['resource'],
  bedrock: ['region'],
  vertex: ['project', 'region'],
} as const;
export type PlatformId = keyof typeof PLATFORM_FIELDS;
export type PlatformField = (typeof PLATFORM_FIELDS)[PlatformId][number];
export type PlatformParts = Partial<Record<PlatformField, string>>;

export const isPlatform = (id: string): id is PlatformId => Object.hasOwn(PLATFORM_FIELDS, id);

const FULL: Record<PlatformId, RegExp> = {
  azure: /^https:\/\/(?<resource>[a-z0-9-]+)\.openai\.azure\.com\/openai\/v1$/,
  bedrock: /^https:\/\/bedrock-mantle\.(?<region>[a-z0-9-]+)\.api\.aws\/v1$/,
  vertex:
    /^https:\/\/[a-z0-9-]*aiplatform\.googleapis\.com\/v1\/projects\/(?<project>[^/]+)\/locations\/(?<region>[a-z0-9-]+)\/endpoints\/openapi$/,
};

/** Resource, region or project in a full address; undefined for another form. */
export function partsOfAddress(id: PlatformId, endpoint: string): PlatformParts | undefined {
  return FULL[id].exec(endpoint)?.groups;
}

/** The value for the interface; undefined while a part is missing. */
export function textOfParts(id: PlatformId, parts: PlatformParts): string | undefined {
  const words = PLATFORM_FIELDS[id].map((field) => parts[field]?.trim() ?? '');
  return words.includes('') ? undefined : words.join('/');
}

function platformHost(id: PlatformId, parts: PlatformParts): string {
  const region = parts.region?.trim() ?? '';
  if (id === 'azure') return `${parts.resource?.trim().toLowerCase() ?? ''}.openai.azure.com`;
  if (id === 'bedrock') return `bedrock-mantle.${region}.api.aws`;
  return region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`;
}

const originOf = (address: string): string | undefined =>
  URL.canParse(address.trim()) ? new URL(address.trim()).origin : undefined;

/** Whether stored keys would no longer be sent, because they are bound to the origin they were entered for. */
export function losesKeys(row: ProviderRow, next: string | PlatformParts | null): boolean {
  const isBound = row.pool.some(({ cause }) => cause !== 'address-changed');
  if (!isBound || row.endpoint === null || next === null) return false;
  if (typeof next === 'object' && !isPlatform(row.id)) return false;
  const origin = typeof next === 'string' ? originOf(next) : `https://${platformHost(row.id as PlatformId, next)}`;
  return origin !== undefined && origin !== originOf(row.endpoint);
}
