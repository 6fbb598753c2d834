import type { Ambient } from '@fucina/shared';
import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { McpHttpHandler, McpServerFactory } from '@modelcontextprotocol/server';
import type { Call, Reply, Step } from './locals.ts';
import { readJsonBody } from './middleware/body.ts';

/** The MCP server (streamable HTTP), below `/api`. Not an operation: its messages are those of the protocol. */
export const MCP_PATH = '/v1/ext/mcp-server';

export interface McpEndpointNeeds {
  ambient: Ambient;
  bodyLimit: number;
  mcpServer(): Promise<McpServerFactory>;
}

export interface McpEndpoint extends AsyncDisposable {
  handle: Step;
}

const MAX_SESSIONS = 64;
const IDLE_MS = 30 * 60_000;

interface McpSession {
  transport: NodeStreamableHTTPServerTransport;
  cancelIdle(): void;
}

/**
 * Clients up to the revision 2025-11-25 have a session each, which ends with DELETE, after half an hour without a
 * request, or when there are too many; later clients send everything with each request.
 */
export function createMcpEndpoint(needs: McpEndpointNeeds): McpEndpoint {
  const { ambient, bodyLimit } = needs;
  const sessions = new Map<string, McpSession>();
  let loading: Promise<Loaded> | undefined;

  const end = async (id: string): Promise<void> => {
    const known = sessions.get(id);
    sessions.delete(id);
    known?.cancelIdle();
    await known?.transport.close();
  };
  const use = (id: string, session: McpSession): void => {
    session.cancelIdle();
    session.cancelIdle = ambient.timer(IDLE_MS, () => void end(id));
    sessions.delete(id);
    sessions.set(id, session);
  };
  const open = async ({ Transport, factory }: Loaded): Promise<McpSession['transport']> => {
    const transport = new Transport({
      sessionIdGenerator: () => ambient.newId(),
      onsessioninitialized(id) {
        use(id, { transport, cancelIdle: () => undefined });
        const [oldest] = sessions.keys();
        if (sessions.size > MAX_SESSIONS && oldest !== undefined) void end(oldest);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = await factory({ era: 'legacy' });
    await server.connect(transport);
    return transport;
  };
  const answerSession = async (loaded: Loaded, { request, response, body }: Exchange): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && known) use(id, known);
    if (id !== undefined && !known) return refuseSession(response);
    await (known?.transport ?? (await open(loaded))).handleRequest(request, response, body);
  };

  return {
    async handle(request, response) {
      response.locals.operation = `${request.method} /api${MCP_PATH}`;
      const body = request.method === 'POST' ? await readJsonBody(request, { ambient, limit: bodyLimit }) : undefined;
      loading ??= load(needs);
      const loaded = await loading;
      const exchange = { request, response, body };
      if (await loaded.isLegacy(exchange)) await answerSession(loaded, exchange);
      else await loaded.answerModern(exchange);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.keys()].map(end));
      await (await loading)?.modern.close();
    },
  };
}

interface Exchange {
  request: Call;
  response: Reply;
  body: unknown;
}

interface Loaded {
  Transport: typeof NodeStreamableHTTPServerTransport;
  factory: McpServerFactory;
  modern: McpHttpHandler;
  isLegacy(exchange: Exchange): Promise<boolean>;
  answerModern(exchange: Exchange): Promise<void>;
}

async function load({ ambient, mcpServer }: McpEndpointNeeds): Promise<Loaded> {
  const [node, sdk, factory] = await Promise.all([
    import('@modelcontextprotocol/node'),
    import('@modelcontextprotocol/server'),
    mcpServer(),
  ]);
  const onerror = (error: Error): void => ambient.log.warn('mcp-server.trouble', { error });
  const modern = sdk.createMcpHandler(factory, { legacy: 'reject', onerror });
  const handler = node.toNodeHandler(modern, { onerror });
  return {
    Transport: node.NodeStreamableHTTPServerTransport,
    factory,
    modern,
    isLegacy: ({ request, body }) => sdk.isLegacyRequest(headOf(request), body),
    answerModern: ({ request, response, body }) => handler(request, response, body),
  };
}

/** What decides how a request is served; its body was read before. */
function headOf({ method, headers, originalUrl }: Call): Request {
  const known = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'content-length' ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(originalUrl, 'http://localhost'), {
    method,
    headers: known,
    ...(method === 'POST' && { body: '{}' }),
  });
}

function refuseSession(response: Reply): void {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } };
  response.writeHead(404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
