import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An MCP server on this computer that wants a sign-in, with its authorization server in the same place. */
export interface GuardedMcpServer extends AsyncDisposable {
  url: string;
  /** What was asked at the paths of the sign-in. */
  requests: { path: string; form: URLSearchParams }[];
  /** The registered clients, by id. */
  clients: Map<string, { redirect_uris?: string[]; client_name?: string }>;
  /** Every access token ends now. */
  expireTokens(): void;
  /** Refresh tokens end, too. */
  revoke(): void;
  /** From now on tokens need this scope to call a tool. */
  requireScope(scope: string): void;
}

export interface GuardedMcpOptions {
  /** Default: programs register themselves. */
  refusesRegistration?: boolean;
  /** Default: it is allowed at once, without a page. */
  isDenied?: boolean;
  /** Names another resource than itself. */
  isMisplaced?: boolean;
  /** Accepts this client without a registration, also without a user. */
  known?: { id: string; secret: string };
  /** Accepts this token of a workload in the place of a user. */
  workload?: { id: string; assertion: string };
}

interface Token {
  scope: string;
  isValid: boolean;
}

export async function guardedMcpServer(options: GuardedMcpOptions = {}): Promise<GuardedMcpServer> {
  const state = stateOf();
  const server = createServer((request, response) => {
    void answer({ request, response, state, options, origin });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    requests: state.requests,
    clients: state.clients,
    expireTokens() {
      for (const token of state.tokens.values()) token.isValid = false;
    },
    revoke() {
      for (const token of state.tokens.values()) token.isValid = false;
      state.refresh.clear();
    },
    requireScope(scope) {
      state.scope = scope;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const stateOf = () => ({
  requests: [] as GuardedMcpServer['requests'],
  clients: new Map<string, { redirect_uris?: string[]; client_name?: string }>(),
  codes: new Map<string, { challenge: string; scope: string }>(),
  tokens: new Map<string, Token>(),
  refresh: new Map<string, string>(),
  scope: 'read',
});

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  state: ReturnType<typeof stateOf>;
  options: GuardedMcpOptions;
  origin: string;
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, state, options, origin } = exchange;
  const url = new URL(request.url ?? '/', origin);
  const text = Buffer.concat(await request.toArray()).toString();
  const json = (body: object, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  switch (url.pathname) {
    case '/mcp':
      return answerMcp(exchange, text);
    case '/.well-known/oauth-protected-resource/mcp':
      return json({
        resource: options.isMisplaced ? 'https://other.example/mcp' : `${origin}/mcp`,
        authorization_servers: [origin],
        scopes_supported: ['read'],
      });
    case '/.well-known/oauth-authorization-server':
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        ...(!options.refusesRegistration && { registration_endpoint: `${origin}/register` }),
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
      });
    case '/register': {
      const client_id = randomUUID();
      const asked = JSON.parse(text) as object;
      state.clients.set(client_id, asked);
      return json({ ...asked, client_id }, 201);
    }
    case '/authorize':
      state.requests.push({ path: url.pathname, form: url.searchParams });
      return void response.writeHead(302, { location: authorize(exchange, url.searchParams) }).end();
    case '/token': {
      const form = new URLSearchParams(text);
      state.requests.push({ path: url.pathname, form });
      const made = tokensFor(exchange, form);
      return json(made, 'error' in made ? 400 : 200);
    }
    default:
      return json({}, 404);
  }
}

function authorize({ state, options, origin }: Exchange, asked: URLSearchParams): string {
  const back = new URL(asked.get('redirect_uri') ?? origin);
  back.searchParams.set('state', asked.get('state') ?? '');
  back.searchParams.set('iss', origin);
  back.searchParams.set('session_state', 'not in the specification');
  if (options.isDenied) {
    back.searchParams.set('error', 'access_denied');
    return back.href;
  }
  const code = randomUUID();
  state.codes.set(code, { challenge: asked.get('code_challenge') ?? '', scope: asked.get('scope') ?? '' });
  back.searchParams.set('code', code);
  return back.href;
}

function tokensFor({ state, options }: Exchange, form: URLSearchParams): object {
  const id = form.get('client_id') ?? '';
  const isKnown = options.known
    ? id === options.known.id && form.get('client_secret') === options.known.secret
    : state.clients.has(id) || id === options.workload?.id;
  if (!isKnown) return { error: 'invalid_client' };
  const give = (scope: string): object => {
    const access_token = `access-${randomUUID()}`;
    const refresh_token = `refresh-${randomUUID()}`;
    state.tokens.set(access_token, { scope, isValid: true });
    state.refresh.set(refresh_token, scope);
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600, scope };
  };
  const grant = form.get('grant_type');
  if (grant === 'client_credentials') return options.known ? give(form.get('scope') ?? '') : { error: 'invalid_grant' };
  if (grant === 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    const isRight = form.get('assertion') === options.workload?.assertion;
    return isRight ? give(form.get('scope') ?? '') : { error: 'invalid_grant' };
  }
  const old = form.get('refresh_token') ?? '';
  if (grant === 'refresh_token') {
    const scope = state.refresh.get(old);
    state.refresh.delete(old);
    return scope === undefined ? { error: 'invalid_grant' } : give(scope);
  }
  const code = form.get('code') ?? '';
  const found = state.codes.get(code);
  state.codes.delete(code);
  const verified = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return found && found.challenge === verified ? give(found.scope) : { error: 'invalid_grant' };
}

interface Message {
  id?: number;
  method?: string;
  params?: { protocolVersion?: string };
}

function answerMcp({ request, response, state, origin }: Exchange, text: string): void {
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  const refuse = (status: number, why: string): void => {
    response.writeHead(status, { 'www-authenticate': `Bearer ${why}, scope="${state.scope}", ${metadata}` }).end();
  };
  const token = state.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
  if (!token?.isValid) return refuse(401, 'error="invalid_token"');
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(text) as Message;
  if (method === 'tools/call' && !token.scope.split(' ').includes(state.scope)) {
    return refuse(403, 'error="insufficient_scope"');
  }
  if (id === undefined) return void response.writeHead(202).end();
  const result = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'you are signed in' }] },
  }[method ?? ''];
  const body = result ? { result } : { error: { code: -32_601, message: 'no such method' } };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
}
