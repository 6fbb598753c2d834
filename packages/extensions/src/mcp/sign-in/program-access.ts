import { createPrivateKey, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type OutboundHttp, textStart } from '@fucina/shared';
import type {
  AddClientAuthentication,
  FetchLike,
  OAuthClientProvider,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { ProgramClient } from '../known-server.ts';
import { StartFailure } from '../server-failure.ts';
import { bindsTokens, type DpopKey, dpopSession, newDpopKey, withProofs } from './dpop-key.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { ServerAccess } from './server-access.ts';

export interface ProgramAccessNeeds {
  http: OutboundHttp;
  url: string;
  client: ProgramClient;
  /** Values that no log may show. */
  hide(values: readonly string[]): void;
}

interface Held {
  tokens: StoredOAuthTokens | undefined;
  dpopKey: DpopKey | undefined;
  /** Permissions that a request lacked. */
  scope: string | undefined;
}

const MAX_FILE = 64 * 1024;
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Tokens that the program gets by itself, without a sign-in of the user: with client credentials, with the token of a
 * workload, or with the user's token of a company's identity provider. They stay in memory. A refusal is not tried again
 * and not tried in another way.
 */
export function createProgramAccess(needs: ProgramAccessNeeds): ServerAccess {
  const held: Held = { tokens: undefined, dpopKey: undefined, scope: undefined };
  let asking: Promise<void> | undefined;
  return {
    token: async () => held.tokens?.access_token,
    async onUnauthorized({ response }) {
      asking ??= askForTokens(needs, held, response).finally(() => {
        asking = undefined;
      });
      await asking;
    },
    async noteForbidden(response) {
      const { computeScopeUnion, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
      const { scope, error } = extractWWWAuthenticateParams(response);
      if (error !== 'insufficient_scope') return;
      held.scope = computeScopeUnion(held.tokens?.scope ?? held.scope, scope);
      // The next request asks for a token with them.
      held.tokens = undefined;
    },
    prove: (send) => withProofs(send, async () => held),
  };
}

async function askForTokens({ http, url, client, hide }: ProgramAccessNeeds, held: Held, response: Response) {
  const { auth, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  const fetchFn = oauthFetch(http, url);
  const wanted = held.scope ?? scope;
  try {
    await auth(await providerOf(client, held, fetchFn), {
      serverUrl: url,
      fetchFn,
      ...(wanted !== undefined && { scope: wanted }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    });
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure('unauthorized', textStart((error as Error).message, 500));
  }
  hide([held.tokens?.access_token, held.tokens?.refresh_token, held.dpopKey?.d].filter((value) => value !== undefined));
}

async function providerOf(client: ProgramClient, held: Held, fetchFn: FetchLike): Promise<OAuthClientProvider> {
  const { grant, issuer, keyFile } = client;
  const authenticate = keyFile === undefined ? undefined : await signedBy(keyFile, client.id);
  let server: object | undefined;
  let resource = '';
  const unused = (): never => {
    throw new Error('the program signs in without a browser');
  };
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: 'Fucina',
      redirect_uris: [],
      grant_types: [grant === 'client-credentials' ? 'client_credentials' : JWT_BEARER],
    },
    // The stamp of the issuer: no other authorization server gets these credentials.
    clientInformation: () => ({
      client_id: client.id,
      ...(client.secret !== undefined && { client_secret: client.secret }),
      issuer,
    }),
    ...(authenticate && { addClientAuthentication: authenticate }),
    tokens: () => held.tokens,
    saveTokens(tokens) {
      held.tokens = tokens;
    },
    redirectToAuthorization: unused,
    saveCodeVerifier: unused,
    codeVerifier: unused,
    saveDiscoveryState({ authorizationServerMetadata }) {
      server = authorizationServerMetadata;
    },
    saveResourceUrl(url) {
      resource = url;
    },
    // Called after a refusal, before the SDK would try again.
    invalidateCredentials: () => {
      throw new Error('the authorization server refused the credentials');
    },
    async dpop() {
      if (!held.dpopKey && bindsTokens(server)) held.dpopKey = await newDpopKey();
      return held.dpopKey && dpopSession(held.dpopKey);
    },
    async prepareTokenRequest(scope) {
      const proof = await grantOf(client, { resource, scope, fetchFn });
      return new URLSearchParams({ ...proof, ...(scope && { scope }) });
    },
  };
}

interface Wanted {
  resource: string;
  scope: string | undefined;
  fetchFn: FetchLike;
}

async function grantOf(client: ProgramClient, { resource, scope, fetchFn }: Wanted): Promise<Record<string, string>> {
  const { grant, issuer, tokenFile = '', identityTokenUrl = '', identityId = '', identitySecret } = client;
  if (grant === 'client-credentials') return { grant_type: 'client_credentials' };
  const token = (await readSmall(tokenFile)).trim();
  if (grant === 'workload') return { grant_type: JWT_BEARER, assertion: token };
  const { requestJwtAuthorizationGrant } = await import('@modelcontextprotocol/client');
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint: identityTokenUrl,
    audience: issuer,
    resource,
    idToken: token,
    clientId: identityId,
    ...(identitySecret !== undefined && { clientSecret: identitySecret }),
    ...(scope && { scope }),
    fetchFn,
  });
  return { grant_type: JWT_BEARER, assertion: jwtAuthGrant };
}

/** The client proves itself with a signature instead of a secret (RFC 7523). */
async function signedBy(keyFile: string, clientId: string): Promise<AddClientAuthentication> {
  const { createPrivateKeyJwtAuth } = await import('@modelcontextprotocol/client');
  const key = await privateKeyIn(keyFile);
  return createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: key.export({ format: 'jwk' }) as Record<string, unknown>,
    alg: algorithmOf(key),
  });
}

async function privateKeyIn(keyFile: string): Promise<KeyObject> {
  const text = await readSmall(keyFile);
  try {
    return createPrivateKey(text);
  } catch {
    // The message of the parser says nothing about the file.
    throw new StartFailure('key-file', `${keyFile}: not a private key in PEM form without a passphrase`);
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };
  if (asymmetricKeyType === 'rsa') return 'RS256';
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  return curves[asymmetricKeyDetails?.namedCurve ?? ''] ?? 'ES256';
}

/** Read at each use: programs of the system renew such files. */
async function readSmall(path: string): Promise<string> {
  let file: FileHandle | undefined;
  try {
    // A named pipe must not wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_FILE), 0, MAX_FILE, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    throw new StartFailure('key-file', (error as Error).message);
  } finally {
    await file?.close();
  }
}
