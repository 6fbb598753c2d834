import { createHash, webcrypto } from 'node:crypto';
import type { DpopSession, FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client';

/** The private key to which tokens are bound (RFC 9449), as it is kept in the key store. */
export type DpopKey = webcrypto.JsonWebKey;

const ALGORITHM = 'ES256';
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };

/** Whether an authorization server binds tokens to a key of this kind; its metadata may be unknown. */
export function bindsTokens(metadata: object | undefined): boolean {
  const { dpop_signing_alg_values_supported: supported } = (metadata ?? {}) as Record<string, unknown>;
  return Array.isArray(supported) && supported.includes(ALGORITHM);
}

export async function newDpopKey(): Promise<DpopKey> {
  const { privateKey } = await webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  return webcrypto.subtle.exportKey('jwk', privateKey);
}

/** Signs requests with the key. One for each connection: it remembers what servers ask for. */
export async function dpopSession({ kty, crv, x, y, d }: DpopKey): Promise<DpopSession> {
  const { DpopSession: Session } = await import('@modelcontextprotocol/client');
  const publicJwk = { kty, crv, x, y };
  const key = (jwk: DpopKey, use: 'sign' | 'verify') => webcrypto.subtle.importKey('jwk', jwk, CURVE, true, [use]);
  const [privateKey, publicKey] = await Promise.all([key({ ...publicJwk, d }, 'sign'), key(publicJwk, 'verify')]);
  // The members of RFC 7638, in its order.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const keyPair = { privateKey, publicKey, publicJwk, thumbprint, alg: ALGORITHM };
  return Session.create({ keyPair: keyPair as NonNullable<Parameters<typeof Session.create>[0]>['keyPair'] });
}

interface BoundTokens {
  tokens: StoredOAuthTokens | undefined;
  dpopKey?: DpopKey | undefined;
}

/** Requests with a proof of the key where the current token is bound to one; others pass as they are. */
export function withProofs(send: FetchLike, current: () => Promise<BoundTokens | undefined>): FetchLike {
  let known: { key: DpopKey; session: Promise<DpopSession> } | undefined;
  const sessionOf = (key: DpopKey): Promise<DpopSession> => {
    if (known?.key.x !== key.x) known = { key, session: dpopSession(key) };
    return known?.session ?? dpopSession(key);
  };
  return async (address, init) => {
    const { tokens, dpopKey } = (await current()) ?? {};
    if (tokens?.token_type?.toLowerCase() !== 'dpop' || !dpopKey) return send(address, init);
    const { withDpop } = await import('@modelcontextprotocol/client');
    return withDpop(await sessionOf(dpopKey), () => tokens.access_token)(send)(address, init);
  };
}
