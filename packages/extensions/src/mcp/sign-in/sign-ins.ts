import { type Ambient, isAppError, OutboundError, type OutboundHttp, textStart } from '@fucina/shared';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { extensionsError } from '../../errors.ts';
import { isProgramClient } from '../known-server.ts';
import { oauthClient, type SignInDraft } from './oauth-client.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { createProgramAccess } from './program-access.ts';
import {
  type Challenge,
  createServerAccess,
  type ServerAccess,
  type SignInServer,
  secretsOf,
} from './server-access.ts';
import type { SignInStore } from './sign-in-store.ts';

export interface SignInStart {
  /** To be opened in the browser. */
  address: string;
  expiresInMs: number;
}

/** What the browser brings back. */
export interface SignInReturn {
  state?: string | undefined;
  code?: string | undefined;
  /** The issuer that answered (RFC 9207). */
  iss?: string | undefined;
  error?: string | undefined;
}

/** `more`: signed in, but a request lacked a permission. */
export type SignInState = 'none' | 'needed' | 'signed-in' | 'more';

/** Sign-ins at MCP servers: OAuth 2.1 with PKCE. Tokens are in the key store only. */
export interface SignIns {
  access(server: SignInServer): ServerAccess;
  /** Whether the server asked for a sign-in since it was started. */
  isAsked(key: string): boolean;
  state(key: string): Promise<SignInState>;
  /** OAUTH_NON_CONFIGURATO, OAUTH_RETE, OAUTH_RISPOSTA_INATTESA. */
  start(server: SignInServer, returnTo: string): Promise<SignInStart>;
  /**
   * The key of the server that is signed in now. OAUTH_ATTESA_IGNOTA, OAUTH_CODICE_MANCANTE, OAUTH_SCAMBIO_RIFIUTATO,
   * OAUTH_RETE, OAUTH_RISPOSTA_INATTESA, OAUTH_CUSTODIA_FALLITA.
   */
  finish(answer: SignInReturn): Promise<string>;
  /** PROVIDER_STORE_UNAVAILABLE. */
  forget(key: string): Promise<void>;
}

export interface SignInsNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  store: SignInStore;
  /** Address of a public document about this program, for servers that accept one instead of a registration. */
  clientMetadataUrl?: string | undefined;
  hide(key: string, values: readonly string[]): void;
  logError(key: string, text: string): void;
}

const LIFETIME_MS = 600_000;
const MAX_PENDING = 8;
const MAX_CODE = 4_096;

interface Pending {
  server: SignInServer;
  draft: SignInDraft;
  challenge: Challenge | undefined;
  /** On the monotonic clock. */
  endsAt: number;
}

export function createSignIns(needs: SignInsNeeds): SignIns {
  const { ambient, store } = needs;
  const pending = new Map<string, Pending>();
  const challenges = new Map<string, Challenge>();
  const refreshing = new Map<string, Promise<unknown>>();
  const makeRoom = (): void => {
    for (const [state, { endsAt }] of pending) if (endsAt <= ambient.monotonic()) pending.delete(state);
    for (const state of pending.keys()) if (pending.size >= MAX_PENDING) pending.delete(state);
  };
  const alone = async <Result>(key: string, run: () => Promise<Result>): Promise<Result> => {
    const next = (refreshing.get(key) ?? Promise.resolve()).then(run, run);
    refreshing.set(key, next);
    return next.finally(() => refreshing.get(key) === next && refreshing.delete(key));
  };

  return {
    access(server) {
      const { key, client } = server;
      const hide = (values: readonly string[]): void => needs.hide(key, values);
      if (isProgramClient(client)) return createProgramAccess({ ...needs, url: server.url, client, hide });
      return createServerAccess({
        ...needs,
        server,
        noteChallenge: (challenge) => void challenges.set(key, challenge),
        noteSignedIn() {
          if (challenges.get(key)?.kind === 'sign-in') challenges.delete(key);
        },
        hide,
        alone: (run) => alone(key, run),
      });
    },
    isAsked: (key) => challenges.has(key),
    async state(key) {
      const asked = challenges.get(key)?.kind;
      if (await store.isSignedIn(key)) return asked === 'more' ? 'more' : asked ? 'needed' : 'signed-in';
      return asked ? 'needed' : 'none';
    },
    async start(server, returnTo) {
      const challenge = challenges.get(server.key);
      makeRoom();
      const state = ambient.randomBytes(32).toString('base64url');
      const draft: SignInDraft = {
        record: { url: server.url, client: undefined, redirectUrl: returnTo, tokens: undefined },
        state,
        verifier: '',
        discovery: undefined,
      };
      const before = await known(store, server);
      // A registration is for one return address.
      if (before?.redirectUrl === returnTo) draft.record.client = before.client;
      const { computeScopeUnion } = await import('@modelcontextprotocol/client');
      const scope =
        challenge?.kind === 'more' ? computeScopeUnion(before?.tokens?.scope, challenge.scope) : challenge?.scope;
      let address: URL | undefined;
      const attempt = { server, draft, challenge: challenge && { ...challenge, scope }, endsAt: 0 };
      await run(needs, attempt, { onRedirect: (to) => void (address = to) });
      if (!address || !isWebAddress(address))
        throw extensionsError('OAUTH_RISPOSTA_INATTESA', { reason: 'mcp-sign-in' });
      pending.set(state, { ...attempt, endsAt: ambient.monotonic() + LIFETIME_MS });
      return { address: address.href, expiresInMs: LIFETIME_MS };
    },
    async finish({ state = '', code, iss, error }) {
      const found = pending.get(state);
      if (found && error === undefined && (!code || code.length > MAX_CODE)) {
        throw extensionsError('OAUTH_CODICE_MANCANTE');
      }
      pending.delete(state);
      if (!found || found.endsAt <= ambient.monotonic()) throw extensionsError('OAUTH_ATTESA_IGNOTA');
      const { key } = found.server;
      if (error !== undefined) {
        needs.logError(key, `sign-in: ${textStart(error, 200)}`);
        throw extensionsError('OAUTH_SCAMBIO_RIFIUTATO', { reason: 'mcp-denied' });
      }
      await run(needs, found, { code, iss });
      needs.hide(key, secretsOf(found.draft.record));
      challenges.delete(key);
      return key;
    },
    async forget(key) {
      // Not during a renewal, which would store new tokens.
      await alone(key, () => store.remove(key));
      challenges.delete(key);
      for (const [state, { server }] of pending) if (server.key === key) pending.delete(state);
    },
  };
}

interface Leg {
  code?: string | undefined;
  iss?: string | undefined;
  onRedirect?(address: URL): void;
}

/** One leg of the flow: towards the authorization page, or from the returned code to the stored tokens. */
async function run(needs: SignInsNeeds, attempt: Pending, { code, iss, onRedirect }: Leg): Promise<void> {
  const { server, draft, challenge } = attempt;
  const { auth } = await import('@modelcontextprotocol/client');
  const provider: OAuthClientProvider = oauthClient({
    draft,
    own: server.client,
    metadataUrl: needs.clientMetadataUrl,
    onRedirect: (address) => onRedirect?.(address),
    onTokens: (record) => keep(needs, server.key, record),
  });
  try {
    await auth(provider, {
      serverUrl: server.url,
      ...(challenge?.scope !== undefined && { scope: challenge.scope }),
      ...(challenge?.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
      ...(code === undefined ? { forceReauthorization: true } : { authorizationCode: code }),
      ...(iss !== undefined && { iss }),
      fetchFn: oauthFetch(needs.http, server.url),
    });
  } catch (cause) {
    throw await refusalOf(needs, { server, cause, isExchange: code !== undefined });
  }
}

async function keep({ store }: SignInsNeeds, key: string, record: SignInDraft['record']): Promise<void> {
  if (!record.tokens) return;
  try {
    await store.write(key, record);
  } catch (cause) {
    if (!isAppError(cause, 'PROVIDER_STORE_UNAVAILABLE')) throw cause;
    throw extensionsError('OAUTH_CUSTODIA_FALLITA', { reason: 'mcp-sign-in', cause });
  }
}

interface FailedLeg {
  server: SignInServer;
  cause: unknown;
  isExchange: boolean;
}

async function refusalOf(needs: SignInsNeeds, { server, cause, isExchange }: FailedLeg): Promise<unknown> {
  if (isAppError(cause)) return cause;
  const { OAuthError, RegistrationRejectedError } = await import('@modelcontextprotocol/client');
  const message = cause instanceof Error ? cause.message : String(cause);
  needs.logError(server.key, `sign-in: ${textStart(message, 500)}`);
  if (cause instanceof OutboundError) return extensionsError('OAUTH_RETE', { reason: 'mcp-sign-in', cause });
  if (cause instanceof RegistrationRejectedError || /dynamic client registration/.test(message)) {
    return extensionsError('OAUTH_NON_CONFIGURATO', { reason: 'mcp-registration', cause });
  }
  if (isExchange && cause instanceof OAuthError) {
    return extensionsError('OAUTH_SCAMBIO_RIFIUTATO', { reason: 'mcp-sign-in', cause });
  }
  return extensionsError('OAUTH_RISPOSTA_INATTESA', { reason: 'mcp-sign-in', cause });
}

/** The user opens it with a click: never `javascript:` or a file. */
function isWebAddress({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** A sign-in that cannot be read is replaced. */
async function known(store: SignInStore, { key, url }: SignInServer) {
  try {
    return await store.read(key, url);
  } catch (error) {
    if (isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) {
      throw extensionsError('OAUTH_NON_CONFIGURATO', { reason: 'mcp-sign-in', cause: error });
    }
    throw error;
  }
}
