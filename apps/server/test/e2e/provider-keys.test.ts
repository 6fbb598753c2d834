import { createHash } from 'node:crypto';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startChild } from '../child-server.ts';
import { covers, refuses } from '../covers.ts';
import { type Reply, serverWithDamagedProviders, type TestServer, testServer } from '../harness.ts';

const sha = (key: string): string => createHash('sha256').update(key).digest('hex');

let server: TestServer;
let broken: TestServer;
beforeAll(async () => {
  server = await testServer();
  broken = await serverWithDamagedProviders();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
});

const post = (path: string, body?: unknown): Promise<Reply> => server.call('POST', `/providers/${path}`, { body });
const rowOf = async (id: string): Promise<any> =>
  (await server.call('GET', '/providers')).data.items.find((row: { id: string }) => row.id === id);

/** Every operation on keys of one provider, by its path. */
const OPERATIONS = [
  ['providers.set-key', 'key', { key: 'sk-some-key' }],
  ['providers.remove-key', 'key/remove', undefined],
  ['providers.add-pool-key', 'keys', { key: 'sk-some-key' }],
  ['providers.remove-pool-key', 'keys/remove', { impronta: sha('x') }],
] as const;

async function expectInvalid(path: string, body: unknown): Promise<void> {
  for (const id of ['nobody', 'OpenAI', '__proto__']) {
    expect(await post(`${id}/${path}`, body)).toMatchObject({ status: 422, code: 'PROVIDER_INVALID' });
  }
}
async function expectBroken(path: string, body: unknown): Promise<void> {
  const reply = await broken.call('POST', `/providers/openai/${path}`, { body });
  expect(reply).toMatchObject({ status: 503, code: 'PROVIDER_STORE_UNAVAILABLE' });
}
async function expectClosed(bodies: unknown[], path: string): Promise<void> {
  const before = await rowOf('cerebras');
  for (const body of bodies) {
    const { status, code } = await post(`cerebras/${path}`, body);
    expect([body, status, code]).toEqual([body, 400, 'QUERY_INVALID']);
  }
  expect(await rowOf('cerebras')).toEqual(before);
}

const TOO_LONG = 'k'.repeat(4_097);
const UNFIT = ['a\nb', 'a\rb', 'a\0b', 'a\u007fb', TOO_LONG];

describe('a single key', () => {
  covers('providers.set-key', 'replaces all keys and returns the row', async () => {
    await post('openai/keys', { key: 'sk-before' });
    const { status, data, text } = await post('openai/key', { key: '  sk-openai-1 ' });
    expect(status).toBe(200);
    expect(data).toEqual(await rowOf('openai'));
    expect(data).toMatchObject({ id: 'openai', keyConfigured: true, origineChiave: 'custodia' });
    expect(data.pool).toEqual([
      {
        impronta: sha('sk-openai-1'),
        nome: 'Chiave 2',
        priorita: 0,
        origine: 'custodia',
        stato: 'disponibile',
        inPanchinaFino: null,
        causa: null,
      },
    ]);
    expect(text).not.toContain('sk-');
  });

  refuses('providers.set-key', 'PROVIDER_KEY_REQUIRED', 'for a blank key', async () => {
    for (const key of ['', '   ', '\n\t']) {
      expect(await post('openai/key', { key })).toMatchObject({ status: 422, code: 'PROVIDER_KEY_REQUIRED' });
    }
  });
  refuses(
    'providers.set-key',
    'PROVIDER_KEY_INVALID',
    'for a key with invalid characters and a provider without keys',
    async () => {
      for (const key of UNFIT) {
        expect(await post('openai/key', { key })).toMatchObject({ status: 422, code: 'PROVIDER_KEY_INVALID' });
      }
      for (const id of ['local', 'esterno'])
        expect((await post(`${id}/key`, { key: 'k' })).code).toBe('PROVIDER_KEY_INVALID');
      expect((await post('cerebras/key', { key: 'k'.repeat(4_096) })).ok).toBe(true);
      await post('cerebras/key/remove');
    },
  );
  refuses('providers.set-key', 'PROVIDER_INVALID', 'for an unknown provider', () => expectInvalid('key', { key: 'k' }));
  refuses('providers.set-key', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('key', { key: 'k' }),
  );
  refuses('providers.set-key', 'QUERY_INVALID', 'for a body of the wrong shape', () =>
    expectClosed([{}, { key: 7 }, { key: null }, { key: 'k', priorita: 1 }, '[]', '"k"'], 'key'),
  );
  refuses('providers.set-key', 'PAYLOAD_LIMIT', 'for a body above 16 KiB', async () => {
    expect(await post('openai/key', { key: 'k'.repeat(17_000) })).toMatchObject({ status: 413, code: 'PAYLOAD_LIMIT' });
  });

  covers('providers.remove-key', 'removes all keys and accepts that there are none', async () => {
    await post('novita/keys', { key: 'sk-1' });
    await post('novita/keys', { key: 'sk-2' });
    for (const body of [undefined, {}]) {
      const { data } = await post('novita/key/remove', body);
      expect(data).toMatchObject({ id: 'novita', keyConfigured: false, pool: [], origineChiave: null });
    }
  });
  refuses('providers.remove-key', 'PROVIDER_INVALID', 'for an unknown provider', () =>
    expectInvalid('key/remove', undefined),
  );
  refuses('providers.remove-key', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('key/remove', undefined),
  );
  refuses('providers.remove-key', 'QUERY_INVALID', 'when a body is sent', () =>
    expectClosed([{ x: 1 }, '[]'], 'key/remove'),
  );
});

describe('the key pool', () => {
  covers('providers.add-pool-key', 'lists keys in priority order without duplicates', async () => {
    await post('mistral/keys', { key: 'sk-a', priorita: 5 });
    await post('mistral/keys', { key: 'sk-b' });
    const { data } = await post('mistral/keys', { key: 'sk-a', priorita: -1_000 });
    expect(data.pool.map(({ impronta, nome, priorita }: any) => [impronta, nome, priorita])).toEqual([
      [sha('sk-a'), 'Chiave 1', -1_000],
      [sha('sk-b'), 'Chiave 2', 0],
    ]);
  });

  refuses(
    'providers.add-pool-key',
    'PROVIDER_POOL_FULL',
    'for a ninth key, while an existing one can change',
    async () => {
      for (let count = 1; count <= 8; count += 1) await post('nebius/keys', { key: `sk-${count}` });
      expect(await post('nebius/keys', { key: 'sk-9' })).toMatchObject({ status: 422, code: 'PROVIDER_POOL_FULL' });
      const { data } = await post('nebius/keys', { key: 'sk-8', priorita: -1 });
      expect([data.pool.length, data.pool[0].impronta]).toEqual([8, sha('sk-8')]);
    },
  );
  refuses('providers.add-pool-key', 'PROVIDER_KEY_REQUIRED', 'for a blank key', async () => {
    expect((await post('openai/keys', { key: ' ' })).code).toBe('PROVIDER_KEY_REQUIRED');
  });
  refuses('providers.add-pool-key', 'PROVIDER_KEY_INVALID', 'for a key with invalid characters', async () => {
    for (const key of UNFIT) expect((await post('openai/keys', { key })).code).toBe('PROVIDER_KEY_INVALID');
  });
  refuses('providers.add-pool-key', 'PROVIDER_INVALID', 'for an unknown provider', () =>
    expectInvalid('keys', { key: 'k' }),
  );
  refuses('providers.add-pool-key', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('keys', { key: 'k' }),
  );
  refuses('providers.add-pool-key', 'QUERY_INVALID', 'for a wrong shape or a priority out of range', () =>
    expectClosed(
      [{}, { key: 7 }, { key: 'k', x: 1 }, ...[1_001, -1_001, 0.5, '1'].map((priorita) => ({ key: 'k', priorita }))],
      'keys',
    ),
  );

  covers('providers.remove-pool-key', 'removes a key by fingerprint and keeps the others', async () => {
    await post('fireworks/keys', { key: 'sk-one' });
    await post('fireworks/keys', { key: 'sk-two' });
    const { data } = await post('fireworks/keys/remove', { impronta: sha('sk-one') });
    expect(data.pool.map(({ impronta }: any) => impronta)).toEqual([sha('sk-two')]);
    expect(data.keyConfigured).toBe(true);
  });
  refuses('providers.remove-pool-key', 'PROVIDER_KEY_NOT_FOUND', 'for a fingerprint outside the pool', async () => {
    const reply = await post('fireworks/keys/remove', { impronta: sha('sk-three') });
    expect(reply).toMatchObject({ status: 404, code: 'PROVIDER_KEY_NOT_FOUND' });
  });
  refuses('providers.remove-pool-key', 'PROVIDER_INVALID', 'for an unknown provider', () =>
    expectInvalid('keys/remove', { impronta: sha('x') }),
  );
  refuses('providers.remove-pool-key', 'PROVIDER_STORE_UNAVAILABLE', 'when the settings are damaged', () =>
    expectBroken('keys/remove', { impronta: sha('x') }),
  );
  refuses('providers.remove-pool-key', 'QUERY_INVALID', 'for an invalid fingerprint', () =>
    expectClosed(
      [{}, { impronta: '' }, { impronta: sha('x').toUpperCase() }, { impronta: sha('x'), key: 'k' }],
      'keys/remove',
    ),
  );
});

/** On other systems the key store is always available, and tests never use the real one. */
(process.platform === 'linux' ? describe : describe.skip)('a computer without a key store', () => {
  test('without a key store, providers without keys work, key operations answer 503 and no key is written to a file', async () => {
    await using dir = await tempDir();
    await using child = await startChild({
      dataDir: dir.path,
      env: { FUCINA_KEY_STORE: 'system', DBUS_SESSION_BUS_ADDRESS: `unix:path=${dir.path}/no-bus` },
    });
    for (const [, path, body] of OPERATIONS) {
      const reply = await child.call('POST', `/providers/openai/${path}`, { body });
      expect([path, reply.status, reply.code]).toEqual([path, 503, 'PROVIDER_STORE_UNAVAILABLE']);
    }
    const endpoint = server.model.url;
    expect((await child.call('POST', '/providers/ollama/runtime', { body: { endpoint, timeoutSeconds: 30 } })).ok).toBe(
      true,
    );
    const { items } = (await child.call('GET', '/providers')).data;
    expect(items).toHaveLength(29);
    expect(items.filter((row: any) => row.keyConfigured || row.pool.length > 0)).toEqual([]);
    expect((await child.call('POST', '/providers/ollama/test')).data.esito).toBe('raggiunto');
    expect((await child.call('GET', '/models')).data.modelli).toHaveLength(2);
    expect((await child.call('GET', '/setup/stato')).data.provider).toMatchObject({
      pronto: true,
      conIndirizzo: ['ollama'],
    });
    const body = { cartellaLibera: server.project.path, consegna: 'x', modello: 'ollama:tiny' };
    const { sessionId } = (await child.call('POST', '/sessions/custom', { body })).data;
    expect(await lastOutcome(child.call, sessionId)).toBe('fine-lavoro');
    const { voci } = (await child.call('GET', '/doctor')).data;
    expect(voci.find(({ id }: any) => id === 'key-store')).toMatchObject({ stato: 'attenzione' });
    expect(child.stderr()).not.toContain('sk-some-key');
  });
});

async function lastOutcome(call: TestServer['call'], sessionId: string): Promise<string | null> {
  for (;;) {
    const row = (await call('GET', '/sessions')).data.items.find((item: any) => item.sessionId === sessionId);
    if (row.conclusa || row.interrotta) return row.motivoChiusura;
  }
}
