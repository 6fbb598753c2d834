import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createHost, type Host, type HostSettings, type Services } from '@fucina/host';
import { type Ambient, AppError, type ErrorCode, type OutboundHttp } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import type { Express } from 'express';
import { createApp } from './http/app.ts';
import { errorBody } from './http/envelope.ts';
import { createMcpEndpoint, type McpEndpoint } from './http/mcp-endpoint.ts';
import { messageClasses } from './http/messages.ts';
import { SECURITY_HEADERS } from './http/middleware/security-headers.ts';
import { createTerminalSockets, type TerminalSockets } from './http/terminal-socket.ts';
import { passUpgrade, TERMINAL_PATH } from './http/upgrade.ts';
import { type Listening, listen, MAX_CONNECTIONS, type OtherLoopback } from './listen.ts';
import { ROUTES } from './routes.ts';
import { SECRETS, type Settings } from './settings.ts';
import { wipeEnvironment } from './wipe-environment.ts';

export { readSettings } from './settings.ts';

export interface RunningServer {
  url: string;
  port: number;
  host: Host;
  /** Whether it answers to the name of its instance. */
  isNamed: boolean;
  /** Resolves when a client requested the shutdown. */
  shutdownAsked: Promise<void>;
  /** Stops accepting requests, ends streams and turns, closes the stores; within 5 s. */
  close(): Promise<void>;
}

export interface StartOptions {
  settings: Settings;
  ambient: Ambient;
  /** Folder of the built window; default: this package's own. */
  windowFolder?: string;
  /** Folders of the task templates and the help pages; default: this repository's own. */
  templatesDir?: string;
  helpDir?: string;
  /** Outbound HTTP; default: created here. */
  http?: OutboundHttp;
  /** The installable build of gh; default: this release's own, if it has one for this system. */
  codeHostBuild?: HostSettings['codeHostBuild'];
  /** The library that runs local models; default: this build's own. */
  engineLibrary?: HostSettings['engineLibrary'];
  /** The MCP server that others connect to; default: Fucina's. */
  mcpServer?: Services['mcpServer'];
  onUndeclared?(operation: string, code: ErrorCode): void;
}

const DRAIN_MS = 500;
const LINGER_MS = 500;

/** Opens the data folder and listens on loopback. SESSION_STORE_BUSY when another server uses the folder. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { settings, ambient, http } = options;
  wipeEnvironment(SECRETS);
  for (const secret of [settings.token, settings.shutdownToken, settings.launcherToken, settings.mcpToken])
    if (secret) ambient.log.redact(secret);
  let listening: Listening | undefined;
  const port = (): number => listening?.port ?? settings.port;
  let askShutdown: () => void = () => undefined;
  const shutdownAsked = new Promise<void>((resolve) => (askShutdown = resolve));
  const host = await createHost({
    ...settings,
    ambient,
    version: VERSION,
    background: true,
    templatesDir: options.templatesDir ?? ownPath('../templates'),
    helpDir: options.helpDir ?? ownPath('../../../docs/help'),
    http,
    codeHostBuild: options.codeHostBuild,
    engineLibrary: options.engineLibrary,
    isWithoutToken: !settings.token,
    ownPort: port,
    onShutdown: () => askShutdown(),
  });
  const urlHost = settings.host === '::1' ? '[::1]' : settings.host;
  const origin = (): string => `http://${urlHost}:${port()}`;
  const terminals = createTerminalSockets({ ambient, terminals: () => host.services.sessionTerminals });
  const mcp = createMcpEndpoint({
    ambient,
    bodyLimit: settings.bodyLimit,
    mcpServer: options.mcpServer ?? (() => host.services.mcpServer()),
  });
  let isClosing = false;
  const surroundings = {
    port,
    origin,
    instance: () => listening?.instance,
    isClosing: () => isClosing,
    terminals,
    mcp,
  };
  const app = openApp(options, host, surroundings);
  const server = createHttpServer(app, ambient);
  try {
    listening = await listen(server, settings);
  } catch (error) {
    await host.close();
    throw error;
  }
  const { instance, other } = listening;
  return {
    url: `${origin()}/`,
    port: port(),
    host,
    isNamed: instance !== undefined,
    shutdownAsked,
    async close() {
      await closeServer(server, host, { ambient, other, terminals, mcp, onQuiet: () => (isClosing = true) });
    },
  };
}

interface Surroundings {
  port(): number;
  origin(): string;
  /** The host name of this instance, if it answers to it. */
  instance(): string | undefined;
  isClosing(): boolean;
  terminals: TerminalSockets;
  mcp: McpEndpoint;
}

function openApp(options: StartOptions, host: Host, surroundings: Surroundings): Express {
  const { settings, ambient, windowFolder, onUndeclared } = options;
  const { services } = host;
  const { port, origin, instance, isClosing, terminals, mcp } = surroundings;
  return createApp({
    ambient,
    services,
    isClosing,
    secrets: settings,
    mcp,
    bodyLimit: settings.bodyLimit,
    routes: ROUTES,
    port,
    instance,
    remember: (problem) => host.remember(problem),
    onUndeclared:
      onUndeclared ?? ((operation, code) => ambient.log.error('operation.undeclared-code', { operation, code })),
    isTerminal: (terminalId) => services.sessionTerminals.isKnown(terminalId),
    connectTerminal: terminals.accept,
    window: {
      ambient,
      folder: windowFolder ?? ownPath('../../window/dist'),
      openApiFolder: ownPath('..'),
      token: settings.token,
      origin,
      instance,
    },
  });
}

/** Sources and the built server have the same folder depth. */
function ownPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function createHttpServer(app: Express, ambient: Ambient): Server {
  const limits = {
    headersTimeout: 10_000,
    requestTimeout: 0,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer({ ...limits, ...messageClasses(app) }, app);
  server.maxConnections = MAX_CONNECTIONS;
  // Node drops headers above a count, possibly a second Host or an Origin; their total size is already limited.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseBytes(socket, ambient, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'headers-too-slow' : 'http-syntax'),
  );
  server.on('checkExpectation', (request: IncomingMessage) => refuseBytes(request.socket, ambient));
  // An upgrade must not bypass the gate.
  server.on('connect', (_request, socket: Socket) => refuseBytes(socket, ambient));
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (request.url?.split('?', 1)[0] !== `/api${TERMINAL_PATH}`) return refuseBytes(socket, ambient);
    passUpgrade(app, request, { socket, head });
  });
  return server;
}

/**
 * A request that the parser rejected still gets an envelope and the general headers. Then the connection ends, whether or
 * not the client closes it: one that stays half open would count against the limit.
 */
function refuseBytes(socket: Socket, ambient: Ambient, reason = 'http-syntax'): void {
  if (socket.destroyed || !socket.writable) return socket.destroy() as unknown as void;
  const error = new AppError('QUERY_INVALID', { reason });
  const sentence = { message: 'Richiesta non valida.', title: 'Richiesta non valida', explanation: '', action: '' };
  const body = errorBody({ error, doctorReference: '', sentences: sentence }, ambient.now());
  const headers = { ...SECURITY_HEADERS, 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' };
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 400 ${STATUS_CODES[400]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  const cancel = ambient.timer(LINGER_MS, () => socket.destroy());
  socket.once('close', cancel);
  // Unread bytes would keep the client's end from being noticed.
  socket.resume();
}

interface ClosingNeeds extends Pick<Surroundings, 'terminals' | 'mcp'> {
  ambient: Ambient;
  other: OtherLoopback;
  /** The turns have ended; the stores are closed next. */
  onQuiet(): void;
}

/** Turns end first, so that connected clients receive the last event; then connections, then stores. */
async function closeServer(
  server: Server,
  host: Host,
  { ambient, other, terminals, mcp, onQuiet }: ClosingNeeds,
): Promise<void> {
  await mcp[Symbol.asyncDispose]();
  await host.quiesce();
  onQuiet();
  other.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await host.close();
  const stopWaiting = new AbortController();
  await Promise.race([closed, ambient.sleep(DRAIN_MS, stopWaiting.signal).catch(() => undefined)]);
  stopWaiting.abort();
  terminals.cut();
  server.closeAllConnections();
  await closed;
}
