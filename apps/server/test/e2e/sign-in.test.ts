import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type Reply, serverWithDamagedProviders, type TestServer, testServer } from '../harness.ts';

const RETURN = '/auth/aggregator/ritorno';
const KEY = 'sk-or-from-sign-in-0001';
let server: TestServer;
let broken: TestServer;
let aggregator: Server;
let endpoint: string;
/** The response of the next exchange instead of a key. */
let scripted: { status: number; body: string } | undefined;
/** Code → challenge, as an authorization server stores them. */
const codes = new Map<string, string>();

beforeAll(async () => {
  aggregator = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const given = scripted;
    scripted = undefined;
    if (given) return response.writeHead(given.status).end(given.body);
    const { code, code_verifier } = JSON.parse(text) as Record<string, string>;
    const challenge = createHash('sha256')
      .update(code_verifier ?? '')
      .digest('base64url');
    const isRight = codes.get(code ?? '') === challenge && codes.delete(code ?? '');
    return response.writeHead(isRight ? 200 : 403).end(JSON.stringify(isRight ? { key: KEY } : {}));
  });
  await new Promise<void>((resolve) => aggregator.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(aggregator.address() as AddressInfo).port}/api/v1`;
  server = await testServer();
  broken = await serverWithDamagedProviders();
  await server.call('POST', '/providers/aggregator/runtime', { body: { endpoint } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
  aggregator.closeAllConnections();
  aggregator.close();
});

const start = async (body?: unknown): Promise<any> =>
  (await server.call('POST', '/auth/aggregator/inizia', { body })).data;
const finish = (stato: string, codice?: string): Promise<Reply> =>
  server.call('POST', '/auth/aggregator/codice', { body: { stato, ...(codice !== undefined && { codice }) } });
const rowOf = async (): Promise<any> =>
  (await server.call('GET', '/providers')).data.items.find(({ id }: { id: string }) => id === 'aggregator');

/** The user consents at the address: returns the code. */
function agree(indirizzo: string): string {
  const code = randomUUID();
  codes.set(code, new URL(indirizzo).searchParams.get('code_challenge') ?? '');
  return code;
}

/** As a browser returns: through a link from another site, without the cookie. */
async function comeBack(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}api/v1${path}`, {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', ...headers },
  });
}

async function expectPage(reply: Response, status: number, words: string): Promise<void> {
  const text = await reply.text();
  expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(text).toContain(words);
  expect(text).not.toContain('sk-or');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(reply.headers.get('set-cookie')).toBeNull();
}

describe('signing in to OpenRouter', () => {
  covers('sign-in.start', 'returns the address to open, for the redirect and for the code', async () => {
    const { stato, indirizzo, ...rest } = await start();
    expect(rest).toEqual({ modo: 'browser', scadeTraMs: 600_000 });
    expect(stato).toMatch(/^[\w-]{43}$/);
    const back = new URL(indirizzo).searchParams.get('callback_url');
    expect(back).toBe(`http://127.0.0.1:${server.port}/api/v1${RETURN}/${stato}`);
    const screen = await start({ senzaRitorno: true });
    expect(screen.modo).toBe('schermo');
    expect(new URL(screen.indirizzo).searchParams.has('callback_url')).toBe(false);
    const bad = await server.call('POST', '/auth/aggregator/inizia', { body: { senzaRitorno: 'yes' } });
    expect(bad.code).toBe('QUERY_INVALID');
  });

  covers('sign-in.finish', 'stores the key and never returns it', async () => {
    const { stato, indirizzo } = await start({ senzaRitorno: true });
    const reply = await finish(stato, agree(indirizzo));
    expect(reply.data).toEqual({ custodita: true });
    expect(reply.text).not.toContain('sk-or');
    expect(await rowOf()).toMatchObject({ keyConfigured: true, origineChiave: 'accesso', supportsOAuth: true });
  });

  covers('sign-in.return-by-path', 'accepts the browser redirect once, without a cookie', async () => {
    const { stato, indirizzo } = await start({});
    const path = `${RETURN}/${stato}?code=${agree(indirizzo)}`;
    expect((await fetch(`${server.url}api/v1${path}`, { method: 'HEAD' })).status).toBe(200);
    await expectPage(await comeBack(path), 200, 'Accesso riuscito');
    await expectPage(await comeBack(path), 400, 'Richiesta di accesso non più valida');
    expect((await rowOf()).pool).toHaveLength(1);
  });

  covers('sign-in.return', 'accepts the state under both names and answers in the user’s language', async () => {
    for (const name of ['state', 'stato']) {
      const { stato, indirizzo } = await start();
      const path = `${RETURN}?code=${agree(indirizzo)}&${name}=${stato}`;
      await expectPage(await comeBack(path, { 'accept-language': 'en' }), 200, 'Signed in');
    }
  });

  test('requires the cookie on every operation but the two redirects', async () => {
    for (const [method, path] of [
      ['POST', '/auth/aggregator/inizia'],
      ['POST', '/auth/aggregator/codice'],
    ] as const) {
      expect((await server.call(method, path, { body: {}, isAnonymous: true })).status).toBe(401);
    }
    const foreign = await fetch(`${server.url}api/v1/providers`, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    await expectPage(await comeBack(`${RETURN}?other=1`), 400, '<h1>');
  });
});

/** Each failure, in each of the three ways to finish. */
const FAILURES = {
  async OAUTH_CODICE_MANCANTE() {
    const { stato } = await start();
    return { stato, codice: '' };
  },
  OAUTH_ATTESA_IGNOTA: async () => ({ stato: 'nobody', codice: 'c' }),
  async OAUTH_SCAMBIO_RIFIUTATO() {
    const { stato } = await start();
    return { stato, codice: 'wrong' };
  },
  async OAUTH_RISPOSTA_INATTESA() {
    const { stato } = await start();
    scripted = { status: 200, body: '{}' };
    return { stato, codice: 'c' };
  },
  async OAUTH_RETE() {
    await server.call('POST', '/providers/aggregator/runtime', { body: { endpoint: 'http://127.0.0.1:1/api/v1' } });
    const { stato } = await start();
    await server.call('POST', '/providers/aggregator/runtime', { body: { endpoint } });
    return { stato, codice: 'c' };
  },
  async OAUTH_CUSTODIA_FALLITA() {
    await server.call('POST', '/providers/aggregator/key/remove');
    for (let count = 0; count < 8; count += 1) {
      await server.call('POST', '/providers/aggregator/keys', { body: { key: `sk-or-full-${count}` } });
    }
    const { stato, indirizzo } = await start();
    return { stato, codice: agree(indirizzo) };
  },
} as const;
const STATUS: Record<keyof typeof FAILURES, number> = {
  OAUTH_CODICE_MANCANTE: 400,
  OAUTH_ATTESA_IGNOTA: 400,
  OAUTH_SCAMBIO_RIFIUTATO: 502,
  OAUTH_RISPOSTA_INATTESA: 502,
  OAUTH_RETE: 502,
  OAUTH_CUSTODIA_FALLITA: 500,
};

async function expectRefused(code: keyof typeof FAILURES): Promise<void> {
  const { stato, codice } = await FAILURES[code]();
  const reply = await finish(stato, codice);
  expect(reply).toMatchObject({ status: STATUS[code], code });
  expect(reply.text).not.toContain('sk-or');
}
async function expectRefusedPage(code: keyof typeof FAILURES, isInPath: boolean): Promise<void> {
  const { stato, codice } = await FAILURES[code]();
  const path = isInPath ? `${RETURN}/${stato}?code=${codice}` : `${RETURN}?state=${stato}&code=${codice}`;
  await expectPage(await comeBack(path), STATUS[code], '<h1>');
}

describe('a failed sign-in', () => {
  refuses('sign-in.finish', 'OAUTH_CODICE_MANCANTE', 'without a code', () => expectRefused('OAUTH_CODICE_MANCANTE'));
  refuses('sign-in.finish', 'OAUTH_ATTESA_IGNOTA', 'for an unknown state', () => expectRefused('OAUTH_ATTESA_IGNOTA'));
  refuses('sign-in.finish', 'OAUTH_SCAMBIO_RIFIUTATO', 'for a rejected code', () =>
    expectRefused('OAUTH_SCAMBIO_RIFIUTATO'),
  );
  refuses('sign-in.finish', 'OAUTH_RISPOSTA_INATTESA', 'when the answer contains no key', () =>
    expectRefused('OAUTH_RISPOSTA_INATTESA'),
  );
  refuses('sign-in.finish', 'OAUTH_RETE', 'when the provider does not answer', () => expectRefused('OAUTH_RETE'));
  refuses('sign-in.finish', 'OAUTH_CUSTODIA_FALLITA', 'when the key pool is full', () =>
    expectRefused('OAUTH_CUSTODIA_FALLITA'),
  );

  refuses('sign-in.return', 'OAUTH_CODICE_MANCANTE', 'without a code', () =>
    expectRefusedPage('OAUTH_CODICE_MANCANTE', false),
  );
  refuses('sign-in.return', 'OAUTH_ATTESA_IGNOTA', 'for an unknown state', () =>
    expectRefusedPage('OAUTH_ATTESA_IGNOTA', false),
  );
  refuses('sign-in.return', 'OAUTH_SCAMBIO_RIFIUTATO', 'for a rejected code', () =>
    expectRefusedPage('OAUTH_SCAMBIO_RIFIUTATO', false),
  );
  refuses('sign-in.return', 'OAUTH_RISPOSTA_INATTESA', 'when the answer contains no key', () =>
    expectRefusedPage('OAUTH_RISPOSTA_INATTESA', false),
  );
  refuses('sign-in.return', 'OAUTH_RETE', 'when the provider does not answer', () =>
    expectRefusedPage('OAUTH_RETE', false),
  );
  refuses('sign-in.return', 'OAUTH_CUSTODIA_FALLITA', 'when the key pool is full', () =>
    expectRefusedPage('OAUTH_CUSTODIA_FALLITA', false),
  );

  refuses('sign-in.return-by-path', 'OAUTH_CODICE_MANCANTE', 'without a code', () =>
    expectRefusedPage('OAUTH_CODICE_MANCANTE', true),
  );
  refuses('sign-in.return-by-path', 'OAUTH_ATTESA_IGNOTA', 'for an unknown state', () =>
    expectRefusedPage('OAUTH_ATTESA_IGNOTA', true),
  );
  refuses('sign-in.return-by-path', 'OAUTH_SCAMBIO_RIFIUTATO', 'for a rejected code', () =>
    expectRefusedPage('OAUTH_SCAMBIO_RIFIUTATO', true),
  );
  refuses('sign-in.return-by-path', 'OAUTH_RISPOSTA_INATTESA', 'when the answer contains no key', () =>
    expectRefusedPage('OAUTH_RISPOSTA_INATTESA', true),
  );
  refuses('sign-in.return-by-path', 'OAUTH_RETE', 'when the provider does not answer', () =>
    expectRefusedPage('OAUTH_RETE', true),
  );
  refuses('sign-in.return-by-path', 'OAUTH_CUSTODIA_FALLITA', 'when the key pool is full', () =>
    expectRefusedPage('OAUTH_CUSTODIA_FALLITA', true),
  );

  const noSettings = { status: 503, code: 'OAUTH_NON_CONFIGURATO' };
  refuses('sign-in.start', 'OAUTH_NON_CONFIGURATO', 'when the settings are damaged', async () => {
    expect(await broken.call('POST', '/auth/aggregator/inizia')).toMatchObject(noSettings);
  });
  refuses('sign-in.finish', 'OAUTH_NON_CONFIGURATO', 'when the settings are damaged', async () => {
    const body = { stato: 's', codice: 'c' };
    expect(await broken.call('POST', '/auth/aggregator/codice', { body })).toMatchObject(noSettings);
  });
  refuses('sign-in.return', 'OAUTH_NON_CONFIGURATO', 'when the settings are damaged', async () => {
    expect((await broken.call('GET', `${RETURN}?state=s&code=c`)).status).toBe(503);
  });
  refuses('sign-in.return-by-path', 'OAUTH_NON_CONFIGURATO', 'when the settings are damaged', async () => {
    expect((await broken.call('GET', `${RETURN}/s?code=c`)).status).toBe(503);
  });
});
