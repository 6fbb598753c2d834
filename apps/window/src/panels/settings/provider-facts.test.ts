import { describe, expect, test } from '@jest/globals';
import type { PoolKey, ProviderRow } from '../../wire/records.ts';
import { blockOf, factsOf, losesKeys, partsOfAddress, textOfParts } from './provider-facts.ts';

const key = (more: Partial<PoolKey> = {}): PoolKey => ({
  fingerprint: 'f'.repeat(64),
  name: 'Chiave 1',
  priority: 0,
  origin: 'store',
  state: 'available',
  coolingDownUntil: null,
  cause: null,
  ...more,
});
const resting = key({ state: 'cooling-down', cause: 'overloaded' });
const elsewhere = key({ state: 'cooling-down', cause: 'address-changed' });

const provider = (more: Partial<ProviderRow> = {}): ProviderRow => ({
  id: 'openai',
  label: 'OpenAI',
  requiresKey: true,
  keyConfigured: false,
  pool: [],
  reserveModels: [],
  defaultEndpoint: 'https://api.openai.com/v1',
  supportsEndpoint: true,
  supportsTimeout: true,
  endpoint: 'https://api.openai.com/v1',
  endpointConfigured: false,
  timeoutSeconds: 60,
  execution: 'cloud',
  supportsOAuth: false,
  keyOrigin: null,
  ...more,
});
const withKey = provider({ keyConfigured: true, pool: [key()], keyOrigin: 'store' });

describe('the provider summary', () => {
  test('reports the key', () => {
    const credential = (row: ProviderRow) => factsOf(row, null).credential;
    expect(credential(provider())).toBe('missing');
    expect(credential(provider({ requiresKey: false }))).toBe('unneeded');
    expect(credential(withKey)).toBe('ready');
    expect(credential({ ...withKey, keyOrigin: 'sign-in' })).toBe('signed-in');
    expect(credential({ ...withKey, pool: [resting] })).toBe('resting');
    expect(credential(provider({ pool: [elsewhere] }))).toBe('elsewhere');
  });

  test('reports the address and the test', () => {
    expect(factsOf(provider(), null)).toMatchObject({ address: 'default', test: 'untested' });
    expect(factsOf(provider({ endpointConfigured: true }), null).address).toBe('own');
    expect(factsOf(provider({ endpoint: null }), null).address).toBe('missing');
    const test = { models: 3, latencyMs: 1, detail: '' };
    expect(factsOf(provider(), { ...test, outcome: 'reached' }).test).toBe('reached');
    expect(factsOf(provider(), { ...test, outcome: 'failed' }).test).toBe('failed');
  });

  test('reports why no model can be used', () => {
    expect(blockOf(provider())).toBe('no-key');
    expect(blockOf(withKey)).toBeUndefined();
    expect(blockOf({ ...withKey, pool: [resting] })).toBeUndefined();
    expect(blockOf(provider({ pool: [elsewhere] }))).toBe('elsewhere');
    expect(blockOf({ ...withKey, endpoint: null })).toBe('no-address');
    expect(blockOf(provider({ requiresKey: false }))).toBe('not-set-up');
    expect(blockOf(provider({ requiresKey: false, endpointConfigured: true }))).toBeUndefined();
  });
});

describe('cloud platforms', () => {
  const FULL = {
    azure: ['https://mine.openai.azure.com/openai/v1', 'mine'],
    bedrock: ['https://bedrock-mantle.eu-west-1.api.aws/v1', 'eu-west-1'],
    vertex: [
      'https://europe-west1-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west1/endpoints/openapi',
      'my-project/europe-west1',
    ],
  } as const;

  test('convert between their parts and the address', () => {
    for (const id of ['azure', 'bedrock', 'vertex'] as const) {
      const parts = partsOfAddress(id, FULL[id][0]);
      expect(parts && textOfParts(id, parts)).toBe(FULL[id][1]);
      expect(partsOfAddress(id, 'https://gateway.example/v1')).toBeUndefined();
    }
  });

  test('are incomplete while a part is missing', () => {
    expect(textOfParts('vertex', { project: 'my-project', region: ' ' })).toBeUndefined();
    expect(textOfParts('azure', {})).toBeUndefined();
  });
});

describe('a key bound to an address', () => {
  test('is lost with another origin but not with another path', () => {
    expect(losesKeys(withKey, 'https://api.openai.com/v2')).toBe(false);
    expect(losesKeys(withKey, 'https://gateway.example/v1')).toBe(true);
    expect(losesKeys(withKey, 'https://api.openai')).toBe(true);
    expect(losesKeys(withKey, 'not yet an address')).toBe(false);
    expect(losesKeys(provider(), 'https://gateway.example/v1')).toBe(false);
    expect(losesKeys(provider({ pool: [elsewhere] }), 'https://gateway.example/v1')).toBe(false);
  });

  test('is lost with another region or resource', () => {
    const vertex = {
      ...withKey,
      id: 'vertex',
      endpoint:
        'https://europe-west1-aiplatform.googleapis.com/v1/projects/one-project/locations/europe-west1/endpoints/openapi',
    };
    expect(losesKeys(vertex, { project: 'other-project', region: 'europe-west1' })).toBe(false);
    expect(losesKeys(vertex, { project: 'one-project', region: 'global' })).toBe(true);
    const azure = { ...withKey, id: 'azure', endpoint: 'https://mine.openai.azure.com/openai/v1' };
    expect(losesKeys(azure, { resource: 'MINE' })).toBe(false);
    expect(losesKeys(azure, { resource: 'other' })).toBe(true);
  });
});
