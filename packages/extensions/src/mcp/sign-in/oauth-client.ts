import type {
  DpopSession,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import type { ServerClient } from '../known-server.ts';
import { bindsTokens, dpopSession, newDpopKey } from './dpop-key.ts';
import type { SignInRecord } from './sign-in-store.ts';

/** One sign-in, from its start to the return of the browser; also what a refresh needs. */
export interface SignInDraft {
  record: SignInRecord;
  state: string;
  verifier: string;
  discovery: OAuthDiscoveryState | undefined;
}

export interface OAuthClientOptions {
  draft: SignInDraft;
  /** A client that the user registered. */
  own: ServerClient | undefined;
  /** Address of a public document about this program (SEP-991), if it has one. */
  metadataUrl: string | undefined;
  /** The user has to open this address. */
  onRedirect(address: URL): void;
  /** New or invalidated tokens are in the record. */
  onTokens(record: SignInRecord): Promise<void>;
}

export function oauthClient(options: OAuthClientOptions): OAuthClientProvider {
  const { draft, own, metadataUrl, onRedirect, onTokens } = options;
  const { record } = draft;
  let session: Promise<DpopSession> | undefined;
  return {
    redirectUrl: record.redirectUrl,
    ...(metadataUrl !== undefined && { clientMetadataUrl: metadataUrl }),
    clientMetadata: metadataOf(record.redirectUrl),
    state: () => draft.state,
    clientInformation: () => (own ? ownInformation(own) : record.client),
    ...(!own && {
      saveClientInformation(client: StoredOAuthClientInformation) {
        record.client = client;
      },
    }),
    tokens: () => record.tokens,
    async saveTokens(tokens) {
      // Some servers send a new refresh token only when the old one ends.
      const refresh = tokens.refresh_token ?? record.tokens?.refresh_token;
      const scope = tokens.scope ?? record.tokens?.scope;
      record.tokens = { ...tokens, ...(refresh && { refresh_token: refresh }), ...(scope && { scope }) };
      await onTokens(record);
    },
    redirectToAuthorization: onRedirect,
    saveCodeVerifier(verifier) {
      draft.verifier = verifier;
    },
    codeVerifier: () => draft.verifier,
    async invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') record.client = undefined;
      if (scope === 'all' || scope === 'discovery') draft.discovery = undefined;
      if (scope === 'all' || scope === 'tokens') {
        record.tokens = undefined;
        await onTokens(record);
      }
    },
    saveDiscoveryState(discovery) {
      draft.discovery = discovery;
    },
    discoveryState: () => draft.discovery,
    async dpop() {
      if (!record.dpopKey && bindsTokens(draft.discovery?.authorizationServerMetadata)) {
        record.dpopKey = await newDpopKey();
      }
      if (record.dpopKey) session ??= dpopSession(record.dpopKey);
      return session;
    },
  };
}

function metadataOf(redirectUrl: string): OAuthClientMetadata {
  return {
    client_name: 'Fucina',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

function ownInformation({ id, secret }: ServerClient): StoredOAuthClientInformation {
  return { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
}
