import type { OutboundHttp } from '@fucina/shared';
import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import type { ServerClient } from '../known-server.ts';
import { StartFailure } from '../server-failure.ts';
import { withProofs } from './dpop-key.ts';
import { oauthClient } from './oauth-client.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { SignInRecord, SignInStore } from './sign-in-store.ts';

/** A server at an address, as sign-ins know it. */
export interface SignInServer {
  key: string;
  url: string;
  client?: ServerClient | undefined;
}

/** What the server said about the access it wants. */
export interface Challenge {
  /** `more`: signed in, but without the permission for a request. */
  kind: 'sign-in' | 'more';
  scope: string | undefined;
  resourceMetadataUrl: URL | undefined;
}

/** The tokens of one connection: sent with each request, renewed when they ran out. Never asks the user. */
export interface ServerAccess extends AuthProvider {
  onUnauthorized: NonNullable<AuthProvider['onUnauthorized']>;
  /** Notes which permission a request lacked. */
  noteForbidden(response: Response): Promise<void>;
  /** Adds what a token needs beyond its header. */
  prove(send: FetchLike): FetchLike;
}

interface ServerAccessNeeds {
  http: OutboundHttp;
  store: SignInStore;
  server: SignInServer;
  noteChallenge(challenge: Challenge): void;
  /** The sign-in holds: it was renewed, or is newer than the refused request. */
  noteSignedIn(): void;
  /** Values that no log may show. */
  hide(values: readonly string[]): void;
  /** One refresh at a time: a refresh token may be used once. */
  alone<Result>(run: () => Promise<Result>): Promise<Result>;
}

export function createServerAccess(needs: ServerAccessNeeds): ServerAccess {
  const { store, server, noteChallenge, noteSignedIn, hide, alone } = needs;
  let record: SignInRecord | undefined;
  let isRead = false;
  const read = async (): Promise<SignInRecord | undefined> => {
    record = await store.read(server.key, server.url);
    isRead = true;
    hide(secretsOf(record));
    return record;
  };
  const tokenNow = () => record?.tokens?.access_token;
  return {
    async token() {
      if (!isRead) await read();
      return tokenNow();
    },
    async onUnauthorized({ response }) {
      const sent = tokenNow();
      await note(response, 'sign-in', noteChallenge);
      await alone(async () => {
        const known = await read();
        // Another session, or another process, renewed it meanwhile.
        const isRenewed = known?.tokens && known.tokens.access_token !== sent;
        if (!isRenewed) {
          if (!known?.tokens?.refresh_token) throw new StartFailure('sign-in', null);
          await refresh(needs, known);
          hide(secretsOf(known));
        }
        noteSignedIn();
      });
    },
    noteForbidden: (response) => note(response, 'more', noteChallenge),
    prove: (send) => withProofs(send, async () => (isRead ? record : read())),
  };
}

async function note(response: Response, kind: Challenge['kind'], to: (challenge: Challenge) => void): Promise<void> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
  if (kind === 'sign-in' || error === 'insufficient_scope') to({ kind, scope, resourceMetadataUrl });
}

/** StartFailure `sign-in` when the user has to sign in again. */
async function refresh({ http, store, server }: ServerAccessNeeds, record: SignInRecord): Promise<void> {
  const { auth } = await import('@modelcontextprotocol/client');
  const again = (): never => {
    throw new StartFailure('sign-in', null);
  };
  const provider = oauthClient({
    draft: { record, state: '', verifier: '', discovery: undefined },
    own: server.client,
    metadataUrl: undefined,
    onRedirect: again,
    onTokens: (next) => (next.tokens ? store.write(server.key, next) : store.remove(server.key)),
  });
  await auth(
    // Without its client there is nothing to renew: it must not register a new one.
    { ...provider, ...(provider.saveClientInformation && { saveClientInformation: keepOrRefuse(record, again) }) },
    { serverUrl: server.url, fetchFn: oauthFetch(http, server.url) },
  );
}

function keepOrRefuse(record: SignInRecord, refuse: () => never) {
  return (client: NonNullable<SignInRecord['client']>): void => {
    if (record.client?.client_id !== client.client_id) refuse();
    record.client = client;
  };
}

export function secretsOf(record: SignInRecord | undefined): string[] {
  const { tokens, client } = record ?? {};
  const values = [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, record?.dpopKey?.d];
  if (client && 'client_secret' in client) values.push(client.client_secret);
  return values.filter((value) => typeof value === 'string');
}
