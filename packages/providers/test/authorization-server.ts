import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import OAuth2Server, {
  type AuthorizationCode,
  type AuthorizationCodeModel,
  type Client,
  Request,
  Response,
  type Token,
} from '@node-oauth/oauth2-server';

/** An aggregator with sign-in: its own variant of PKCE in front of a published authorization server. */
export interface AuthorizationServer extends AsyncDisposable {
  /** As the provider's endpoint. */
  endpoint: string;
  /** The response of the next exchange instead of a key. */
  answerNext(status: number, body: string): void;
  /** Consents in place of the user: returns the callback address, or the code on the screen. */
  agree(address: string): Promise<{ location?: string; code: string }>;
  exchanges: Record<string, unknown>[];
}

const CLIENT: Client = { id: 'fucina', grants: ['authorization_code'], redirectUris: ['https://screen.invalid/'] };
const SCREEN = 'https://screen.invalid/';

export async function createAuthorizationServer(key = 'sk-or-signed-in-0001'): Promise<AuthorizationServer> {
  const oauth = new OAuth2Server({ model: modelThatGives(key) });
  const exchanges: Record<string, unknown>[] = [];
  let scripted: { status: number; body: string } | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const body = await readJson(incoming);
    exchanges.push(body);
    if (incoming.url !== '/api/v1/auth/keys') return outgoing.writeHead(404).end();
    const given = scripted;
    scripted = undefined;
    if (given) return outgoing.writeHead(given.status).end(given.body);
    const answer = await exchange(oauth, body);
    return outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}/api/v1`,
    exchanges,
    answerNext: (status, body) => {
      scripted = { status, body };
    },
    agree: (address) => authorize(oauth, new URL(address)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function modelThatGives(key: string): AuthorizationCodeModel {
  const codes = new Map<string, AuthorizationCode>();
  return {
    getClient: async () => CLIENT,
    validateRedirectUri: async () => true,
    saveAuthorizationCode: async (code, client, user) => {
      // The aggregator's exchange sends no address to compare with.
      const { redirectUri: _unused, ...kept } = code;
      const saved = { ...kept, redirectUri: '', client, user };
      codes.set(code.authorizationCode, saved);
      return saved;
    },
    getAuthorizationCode: async (code) => codes.get(code) ?? false,
    revokeAuthorizationCode: async ({ authorizationCode }) => codes.delete(authorizationCode),
    saveToken: async (token, client, user): Promise<Token> => ({ ...token, client, user }),
    getAccessToken: async () => false,
    generateAccessToken: async () => key,
  };
}

async function authorize(oauth: OAuth2Server, address: URL): Promise<{ location?: string; code: string }> {
  const callback = address.searchParams.get('callback_url');
  const query = {
    response_type: 'code',
    client_id: CLIENT.id,
    redirect_uri: callback ?? SCREEN,
    state: 'x',
    code_challenge: address.searchParams.get('code_challenge') ?? '',
    code_challenge_method: address.searchParams.get('code_challenge_method') ?? '',
  };
  const request = new Request({ method: 'GET', headers: {}, query });
  const person = { handle: () => ({ id: 'person' }) };
  const { authorizationCode: code } = await oauth.authorize(request, new Response({}), {
    authenticateHandler: person,
  });
  if (callback === null) return { code };
  const back = new URL(callback);
  back.searchParams.set('code', code);
  return { location: back.href, code };
}

async function exchange(
  oauth: OAuth2Server,
  body: Record<string, unknown>,
): Promise<{ status: number; body: unknown }> {
  const { code, code_verifier } = body;
  const form = { grant_type: 'authorization_code', client_id: CLIENT.id, code, code_verifier };
  const length = String(JSON.stringify(form).length);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': length };
  const request = new Request({ method: 'POST', headers, query: {}, body: form });
  try {
    const options = { requireClientAuthentication: { authorization_code: false } };
    const { accessToken } = await oauth.token(request, new Response({}), options);
    return { status: 200, body: { key: accessToken } };
  } catch (error) {
    return { status: 403, body: { error: String(error) } };
  }
}

async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
