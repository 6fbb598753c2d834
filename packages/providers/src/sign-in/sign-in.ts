import { createHash } from 'node:crypto';
import { type Ambient, isAppError, OutboundError, type OutboundHttp } from '@fucina/shared';
import { providerHeaders } from '../connection/access.ts';
import { joinAddress } from '../connection/runtime.ts';
import { providersError } from '../errors.ts';
import type { ExtraHeaders } from '../keys/extra-headers.ts';
import type { Keys } from '../keys/keys.ts';
import { providerOf } from '../table/registry.ts';

/** Sign-in to the aggregator by PKCE: the result is an ordinary key, stored like any other and never returned. */
export interface SignIn {
  /**
   * `returnTo`: the callback address of this server, to which the state is appended; unused when the user copies the
   * code from the screen. Throws OAUTH_NON_CONFIGURATO when the address is unknown or no key could be stored.
   */
  start(way: { returnTo: string; isOnScreen?: boolean }): Promise<SignInStart>;
  /**
   * Exchanges the code. Throws OAUTH_CODICE_MANCANTE and OAUTH_NON_CONFIGURATO before the state is consumed;
   * OAUTH_ATTESA_IGNOTA for an unknown, used or expired state; OAUTH_RETE, OAUTH_SCAMBIO_RIFIUTATO,
   * OAUTH_RISPOSTA_INATTESA for failures of the aggregator; OAUTH_CUSTODIA_FALLITA when the key cannot be stored.
   */
  finish(answer: { state?: string | undefined; code?: string | undefined }): Promise<void>;
}

export interface SignInStart {
  state: string;
  /** To be opened in the browser. */
  address: string;
  way: 'browser' | 'screen';
  expiresInMs: number;
}

export interface SignInNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  keys: Pick<Keys, 'add' | 'state'>;
  /** The aggregator's address for the exchange; PROVIDER_STORE_UNAVAILABLE when it cannot be read. */
  endpoint(): string | null;
  extraHeaders: Pick<ExtraHeaders, 'at'>;
}

const PROVIDER = 'aggregator';
const KEY_LABEL = 'Fucina';
const LIFETIME_MS = 600_000;
const MAX_PENDING = 8;
const MAX_CODE = 2_048;
const LIMITS = { connectMs: 10_000, firstResponseMs: 20_000, totalMs: 30_000, bodyBytes: 65_536 };

interface Pending {
  verifier: string;
  /** The address at the start: the user may change it in the meantime. */
  endpoint: string;
  /** On the monotonic clock. */
  endsAt: number;
}

export function createSignIn(needs: SignInNeeds): SignIn {
  const { ambient } = needs;
  const pending = new Map<string, Pending>();
  const secret = (): string => ambient.randomBytes(32).toString('base64url');
  const makeRoom = (): void => {
    for (const [state, { endsAt }] of pending) if (endsAt <= ambient.monotonic()) pending.delete(state);
    for (const state of pending.keys()) if (pending.size >= MAX_PENDING) pending.delete(state);
  };
  return {
    async start({ returnTo, isOnScreen = false }) {
      const endpoint = await usableEndpoint(needs);
      makeRoom();
      const verifier = secret();
      const state = secret();
      pending.set(state, { verifier, endpoint, endsAt: ambient.monotonic() + LIFETIME_MS });
      const address = new URL('/auth', endpoint);
      if (isOnScreen) address.searchParams.set('key_label', KEY_LABEL);
      else address.searchParams.set('callback_url', `${returnTo}/${state}`);
      address.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
      address.searchParams.set('code_challenge_method', 'S256');
      const way = isOnScreen ? 'screen' : 'browser';
      return { state, address: address.href, way, expiresInMs: LIFETIME_MS };
    },
    async finish({ state = '', code: given }) {
      const code = given?.trim();
      if (!code || code.length > MAX_CODE) throw providersError('OAUTH_CODICE_MANCANTE');
      readEndpoint(needs);
      const found = pending.get(state);
      pending.delete(state);
      if (!found || found.endsAt <= ambient.monotonic()) throw providersError('OAUTH_ATTESA_IGNOTA');
      const key = await exchange(needs, { ...found, code });
      await keep(needs, { key, boundTo: new URL(found.endpoint).origin });
    },
  };
}

/** Rejected early, before the user signs in for nothing. */
async function usableEndpoint(needs: SignInNeeds): Promise<string> {
  const address = readEndpoint(needs);
  const { state } = await needs.keys.state();
  if (address && state === 'ready') return address;
  throw providersError('OAUTH_NON_CONFIGURATO', { reason: address ? 'no-key-store' : 'no-address' });
}

function readEndpoint({ endpoint }: SignInNeeds): string | null {
  try {
    return endpoint();
  } catch (cause) {
    if (!isAppError(cause, 'PROVIDER_STORE_UNAVAILABLE')) throw cause;
    throw providersError('OAUTH_NON_CONFIGURATO', { reason: 'settings-store', cause });
  }
}

async function exchange(
  { http, extraHeaders }: SignInNeeds,
  { endpoint, verifier, code }: Pending & { code: string },
): Promise<string> {
  const extra = await extraHeaders.at(PROVIDER, new URL(endpoint).origin).catch(storeFailed);
  try {
    const answer = await http.send({
      url: joinAddress(endpoint, '/auth/keys'),
      method: 'POST',
      policy: 'configured',
      headers: providerHeaders(providerOf(PROVIDER), { key: undefined, extra }, JSON_CONTENT),
      body: JSON.stringify({ code, code_verifier: verifier, code_challenge_method: 'S256' }),
      limits: LIMITS,
    });
    if (answer.status >= 500 || answer.status < 200) {
      answer.discard();
      throw providersError('OAUTH_RISPOSTA_INATTESA', { params: { status: answer.status } });
    }
    if (answer.status >= 300) {
      answer.discard();
      throw providersError('OAUTH_SCAMBIO_RIFIUTATO', { params: { status: answer.status } });
    }
    return keyIn(await answer.text());
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    const isAnswered = cause.problem === 'redirect' || cause.problem === 'too-large';
    throw providersError(isAnswered ? 'OAUTH_RISPOSTA_INATTESA' : 'OAUTH_RETE', { reason: cause.problem, cause });
  }
}

const JSON_CONTENT = { accept: 'application/json', 'content-type': 'application/json' };

function storeFailed(cause: unknown): never {
  if (!isAppError(cause, 'PROVIDER_STORE_UNAVAILABLE')) throw cause;
  throw providersError('OAUTH_CUSTODIA_FALLITA', { reason: 'store', cause });
}

function keyIn(text: string): string {
  let key: unknown;
  try {
    const answer: unknown = JSON.parse(text);
    key = typeof answer === 'object' && answer !== null ? (answer as { key?: unknown }).key : undefined;
  } catch {
    // The parser's message would quote the response, which may contain a key.
    throw providersError('OAUTH_RISPOSTA_INATTESA', { reason: 'unreadable' });
  }
  if (typeof key !== 'string' || key.trim() === '')
    throw providersError('OAUTH_RISPOSTA_INATTESA', { reason: 'no-key' });
  return key;
}

async function keep({ keys }: SignInNeeds, made: { key: string; boundTo: string }): Promise<void> {
  try {
    await keys.add(PROVIDER, { ...made, origin: 'signed-in' });
  } catch (cause) {
    if (isAppError(cause, 'PROVIDER_KEY_INVALID'))
      throw providersError('OAUTH_RISPOSTA_INATTESA', { reason: 'key-unfit', cause });
    if (!isAppError(cause, 'PROVIDER_STORE_UNAVAILABLE', 'PROVIDER_POOL_FULL')) throw cause;
    throw providersError('OAUTH_CUSTODIA_FALLITA', {
      reason: cause.code === 'PROVIDER_POOL_FULL' ? 'pool-full' : 'store',
      cause,
    });
  }
}
