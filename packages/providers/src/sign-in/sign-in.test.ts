import { createHash } from 'node:crypto';
import { AppError } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { type AuthorizationServer, createAuthorizationServer } from '../../test/authorization-server.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import type { SignInStart } from './sign-in.ts';

const RETURN = 'http://127.0.0.1:4174/api/v1/auth/aggregator/ritorno';
const KEY = 'sk-or-signed-in-0001';

interface Place extends AsyncDisposable {
  harness: Harness;
  aggregator: AuthorizationServer;
}

async function place(key = KEY): Promise<Place> {
  const harness = await createHarness();
  const aggregator = await createAuthorizationServer(key);
  harness.providers.runtime.change('aggregator', { endpoint: aggregator.endpoint });
  return {
    harness,
    aggregator,
    async [Symbol.asyncDispose]() {
      await aggregator[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
}

const keyOf = async ({ providers }: Harness) => (await providers.registry.row('aggregator')).pool;

describe('signing in', () => {
  test('by redirect returns to this server with the state in the path and stores a key', async () => {
    await using at = await place();
    const { signIn, registry } = at.harness.providers;
    const start = await signIn.start({ returnTo: RETURN });
    expect(start).toMatchObject({ way: 'browser', expiresInMs: 600_000 });
    expect(start.state).toMatch(/^[\w-]{43}$/);
    const address = new URL(start.address);
    expect(address.origin + address.pathname).toBe(`${new URL(at.aggregator.endpoint).origin}/auth`);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      callback_url: `${RETURN}/${start.state}`,
      code_challenge_method: 'S256',
    });
    const { location, code } = await at.aggregator.agree(start.address);
    expect(location?.startsWith(`${RETURN}/${start.state}?code=`)).toBe(true);
    await signIn.finish({ state: start.state, code });
    expect(await registry.row('aggregator')).toMatchObject({
      keyConfigured: true,
      keyOrigin: 'signed-in',
      pool: [{ fingerprint: createHash('sha256').update(KEY).digest('hex'), origin: 'signed-in' }],
    });
    expect(at.aggregator.exchanges[0]).toMatchObject({ code_challenge_method: 'S256' });
    expect(at.aggregator.exchanges[0]?.['code_verifier']).toMatch(/^[\w-]{43}$/);
  });

  test('by code uses a name instead of an address', async () => {
    await using at = await place();
    const { signIn } = at.harness.providers;
    const start = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    expect(start.way).toBe('screen');
    const { searchParams } = new URL(start.address);
    expect([searchParams.get('callback_url'), searchParams.get('key_label')]).toEqual([null, 'Fucina']);
    const { code } = await at.aggregator.agree(start.address);
    await signIn.finish({ state: start.state, code: ` ${code}\n` });
    expect(await keyOf(at.harness)).toHaveLength(1);
  });

  test('again replaces the earlier key and keeps the others', async () => {
    await using at = await place();
    const { signIn, keys } = at.harness.providers;
    await keys.add('aggregator', { key: 'sk-or-by-hand' });
    await keys.add('aggregator', { key: 'sk-or-earlier', origin: 'signed-in' });
    const start = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    await signIn.finish({ state: start.state, code: (await at.aggregator.agree(start.address)).code });
    expect((await keyOf(at.harness)).map(({ origin }) => origin)).toEqual(['saved', 'signed-in']);
  });

  test('binds the key to the address at its start', async () => {
    await using at = await place();
    const { signIn, runtime, registry } = at.harness.providers;
    const start = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    const { code } = await at.aggregator.agree(start.address);
    runtime.change('aggregator', { endpoint: 'http://127.0.0.2:1/api/v1' });
    await signIn.finish({ state: start.state, code });
    expect(await registry.row('aggregator')).toMatchObject({ keyConfigured: false, pool: [{ state: 'unavailable' }] });
  });

  test('twice at the same time keeps both, and at most eight wait', async () => {
    await using at = await place();
    const { signIn } = at.harness.providers;
    const starts: SignInStart[] = [];
    for (let count = 0; count < 9; count += 1) starts.push(await signIn.start({ returnTo: RETURN, isOnScreen: true }));
    const finish = async (index: number): Promise<void> => {
      const { state, address } = starts[index] ?? { state: '', address: '' };
      await signIn.finish({ state, code: (await at.aggregator.agree(address)).code });
    };
    await expect(finish(0)).rejects.toMatchObject({ code: 'OAUTH_ATTESA_IGNOTA' });
    await finish(1);
    await finish(8);
  });
});

describe('a failed sign-in', () => {
  test('without a code keeps its state', async () => {
    await using at = await place();
    const { signIn } = at.harness.providers;
    const { state, address } = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    for (const code of [undefined, '', '  ', 'x'.repeat(2_049)]) {
      await expect(signIn.finish({ state, code })).rejects.toMatchObject({ code: 'OAUTH_CODICE_MANCANTE' });
    }
    await signIn.finish({ state, code: (await at.aggregator.agree(address)).code });
  });

  test('with an unknown, used or expired state sends no request', async () => {
    await using at = await place();
    const { signIn } = at.harness.providers;
    const unknown = expect.objectContaining({ code: 'OAUTH_ATTESA_IGNOTA' });
    await expect(signIn.finish({ state: 'nobody', code: 'c' })).rejects.toEqual(unknown);
    await expect(signIn.finish({ state: undefined, code: 'c' })).rejects.toEqual(unknown);
    const { state, address } = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    const { code } = await at.aggregator.agree(address);
    await signIn.finish({ state, code });
    await expect(signIn.finish({ state, code })).rejects.toEqual(unknown);
    const late = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    await at.harness.ambient.advance(600_000);
    await expect(signIn.finish({ state: late.state, code: 'c' })).rejects.toEqual(unknown);
    expect(at.aggregator.exchanges).toHaveLength(1);
  });

  test.each([
    ['403', 403, 'no', 'OAUTH_SCAMBIO_RIFIUTATO'],
    ['400', 400, '{}', 'OAUTH_SCAMBIO_RIFIUTATO'],
    ['500', 500, '', 'OAUTH_RISPOSTA_INATTESA'],
    ['a redirect', 302, '', 'OAUTH_SCAMBIO_RIFIUTATO'],
    ['a page', 200, '<html>', 'OAUTH_RISPOSTA_INATTESA'],
    ['an answer without a key', 200, '{}', 'OAUTH_RISPOSTA_INATTESA'],
    ['a key that is no text', 200, '{"key":7}', 'OAUTH_RISPOSTA_INATTESA'],
    ['a key of two lines', 200, JSON.stringify({ key: 'a\nb' }), 'OAUTH_RISPOSTA_INATTESA'],
    ['a key too long', 200, JSON.stringify({ key: 'k'.repeat(70_000) }), 'OAUTH_RISPOSTA_INATTESA'],
  ])('at %s has its code and stores no key', async (_name, status, body, code) => {
    await using at = await place();
    const { signIn } = at.harness.providers;
    const { state } = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    at.aggregator.answerNext(status, body);
    await expect(signIn.finish({ state, code: 'c' })).rejects.toMatchObject({ code });
    expect(await keyOf(at.harness)).toEqual([]);
  });

  test('with a wrong code is rejected by the provider', async () => {
    await using at = await place();
    const { signIn } = at.harness.providers;
    const first = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    const second = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    const { code } = await at.aggregator.agree(first.address);
    // The code of one sign-in with the verifier of another.
    await expect(signIn.finish({ state: second.state, code })).rejects.toMatchObject({
      code: 'OAUTH_SCAMBIO_RIFIUTATO',
    });
  });

  test('without an answer is OAUTH_RETE', async () => {
    await using at = await place();
    const { signIn, runtime } = at.harness.providers;
    runtime.change('aggregator', { endpoint: 'http://127.0.0.1:1/api/v1' });
    const { state } = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    await expect(signIn.finish({ state, code: 'c' })).rejects.toMatchObject({ code: 'OAUTH_RETE' });
  });

  test('with a full pool changes no key', async () => {
    await using at = await place();
    const { signIn, keys } = at.harness.providers;
    const { state, address } = await signIn.start({ returnTo: RETURN, isOnScreen: true });
    for (let count = 0; count < 8; count += 1) await keys.add('aggregator', { key: `sk-or-${count}` });
    const { code } = await at.aggregator.agree(address);
    const failure = await signIn.finish({ state, code }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'OAUTH_CUSTODIA_FALLITA', reason: 'pool-full' });
    expect(await keyOf(at.harness)).toHaveLength(8);
    expect(JSON.stringify([failure, at.harness.ambient.lines])).not.toContain(KEY);
  });
});
