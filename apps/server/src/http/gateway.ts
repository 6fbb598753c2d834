import { createHash } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@fucina/host';
import { AppError, commonError, isAppError } from '@fucina/shared';
import { hasBody } from './body.ts';
import { BEYOND_THE_END } from './bytes.ts';
import { type DispatchNeeds, dispatch, sendJson } from './dispatch.ts';
import { errorBody, languageOf } from './envelope.ts';
import {
  allowedHosts,
  checkHost,
  checkOrigin,
  checkSocketOrigin,
  hasAccess,
  isOpenedFromOutside,
  ownOriginCode,
} from './guards.ts';
import { setSecurityHeaders } from './headers.ts';
import { sendPage } from './page.ts';
import { createRouter, type Route } from './router.ts';
import { STATUSES } from './statuses.ts';
import { endBeforeBody } from './unread-body.ts';

export const API_PREFIX = '/api/v1';
/** The one path that is a WebSocket. */
export const TERMINAL_PATH = `${API_PREFIX}/terminal/ws`;
const MAX_ADDRESS_BYTES = 4_096;
const MAX_ID_LENGTH = 200;
const UNKNOWN_TERMINAL = 'unknown-terminal';
/** Where the status of a refusal is not its code's. */
const REASON_STATUSES: Readonly<Record<string, number>> = { [BEYOND_THE_END]: 416, [UNKNOWN_TERMINAL]: 403 };

export interface GatewayNeeds extends DispatchNeeds {
  routes: readonly Route[];
  /** The port the server listens on, known once it does. */
  port(): number;
  /** Keeps an error's detail for its doctor reference. */
  remember(problem: Problem): void;
  /** Whether somebody may look at the terminal of this id. */
  isTerminal(terminalId: string): Promise<boolean>;
  acceptTerminal(terminalId: string, request: IncomingMessage, connection: Connection): Promise<void>;
  /** Everything outside `/api/`. */
  serveWindow(request: IncomingMessage, response: ServerResponse, host: string): Promise<void>;
}

/** A connection that leaves HTTP, with what was read beyond the request's headers. */
export interface Connection {
  socket: Socket;
  head: Buffer;
}

export interface Gateway {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** An upgrade passes the same gate; what it refuses is answered as any request is. */
  upgrade(request: IncomingMessage, connection: Connection): Promise<void>;
}

/** One gate before any handler, for the interface, the window's files and terminals alike; no operation can go around it. */
export function createGateway(needs: GatewayNeeds): Gateway {
  const { ambient } = needs;
  const route = createRouter(needs.routes);

  return {
    answer: (request, response) => judged(request, response, (seen) => pass(request, response, seen)),
    async upgrade(request, connection) {
      const { socket } = connection;
      socket.on('error', () => undefined); // it is over; there is nobody to tell
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => socket.end());
      await judged(request, response, async (seen) => {
        seen.operation = `UPGRADE ${TERMINAL_PATH}`;
        const terminalId = await admitted(request);
        response.detachSocket(socket);
        if (terminalId === undefined) return void socket.destroy();
        await needs.acceptTerminal(terminalId, request, connection);
        response.statusCode = 101;
        response.emit('close'); // told in the log like any answer
      });
    },
  };

  async function judged(
    request: IncomingMessage,
    response: ServerResponse,
    act: (seen: Seen) => Promise<void>,
  ): Promise<void> {
    const requestId = ambient.newId();
    const startedAt = ambient.monotonic();
    setSecurityHeaders(response);
    const seen: Seen = { operation: 'window', isPage: false };
    response.once('close', () => {
      const ms = Math.round((ambient.monotonic() - startedAt) * 10) / 10;
      ambient.log.info('request', { requestId, operation: seen.operation, status: response.statusCode, ms });
    });
    try {
      await act(seen);
    } catch (error) {
      await fail({ request, response, error, requestId, ...seen });
    }
  }

  /** Undefined for an id that cannot be one. */
  async function admitted(request: IncomingMessage): Promise<string | undefined> {
    const { host, path, search } = addressOf(request);
    if (path !== TERMINAL_PATH) throw commonError('NOT_FOUND', { reason: 'unknown-path' });
    checkSocketOrigin(request, host, needs.secrets.token !== undefined);
    if (!hasAccess(request, needs.secrets.token)) throw commonError('AUTH_REQUIRED');
    const query = [...new URLSearchParams(search)];
    const [name, id = ''] = query[0] ?? [];
    if (query.length !== 1 || name !== 'id' || id.length < 1 || id.length > MAX_ID_LENGTH) return undefined;
    if (!(await needs.isTerminal(id))) throw commonError('NOT_FOUND', { reason: UNKNOWN_TERMINAL });
    return id;
  }

  function addressOf(request: IncomingMessage): { host: string; path: string; search: string } {
    const target = request.url ?? '';
    if (Buffer.byteLength(target) > MAX_ADDRESS_BYTES) throw commonError('PAYLOAD_LIMIT', { reason: 'address-length' });
    const host = checkHost(request, allowedHosts(needs.port()));
    // Absolute-form and asterisk-form targets are for proxies.
    if (!target.startsWith('/')) throw commonError('NOT_FOUND');
    const [path, search] = splitOnce(target, '?');
    return { host, path, search };
  }

  async function pass(request: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
    const { host, path, search } = addressOf(request);
    if (path !== '/api' && !path.startsWith('/api/')) {
      // Nobody reads it: whoever sends one slowly must not keep the connection.
      if (hasBody(request)) response.setHeader('Connection', 'close');
      return needs.serveWindow(request, response, host);
    }

    const match = path.startsWith(`${API_PREFIX}/`)
      ? route(request.method ?? '', path.slice(API_PREFIX.length))
      : ({ kind: 'unknown' } as const);
    if (match.kind === 'found') seen.operation = `${match.route.method} ${match.route.path}`;
    else seen.operation = match.kind;
    const isOpen = match.kind === 'found' && isOpenedFromOutside(match.route.guards);
    seen.isPage = match.kind === 'found' && match.route.guards.includes('sign-in-state');
    if (!isOpen) {
      checkOrigin(request, host, match.kind === 'found' ? ownOriginCode(match.route.guards) : undefined);
      if (!hasAccess(request, needs.secrets.token)) throw commonError('AUTH_REQUIRED');
    }
    if (match.kind === 'unknown') throw commonError('NOT_FOUND', { reason: 'unknown-path' });
    if (match.kind === 'wrong-method') {
      response.setHeader('Allow', match.allow);
      throw commonError('METHOD_NOT_ALLOWED');
    }
    await dispatch(
      { request, response, host, route: match.route, params: match.params, query: new URLSearchParams(search) },
      needs,
    );
  }

  async function fail(failure: FailedRequest): Promise<void> {
    const { request, response, error, requestId, operation, isPage } = failure;
    const known = isAppError(error) ? error : new AppError('INTERNAL_ERROR', { cause: error });
    const doctorReference = referenceOf(known.code, requestId, operation);
    needs.remember({ reference: doctorReference, error: known, operation, at: ambient.now() });
    if (known.code === 'INTERNAL_ERROR')
      ambient.log.error('request.failed', { requestId, operation, doctorReference, error });
    // The first frames may be out already: the stream then simply ends, and the client comes back.
    if (response.headersSent) return void response.destroy();
    const { sentencesFor } = await import('@fucina/shared/sentences');
    const language = languageOf(request.headers['accept-language']);
    const sentences = sentencesFor(known.code, language, known.reason);
    if (isPage) return sendPage(request, response, { status: STATUSES[known.code], ...sentences, language });
    const refusal = {
      status: REASON_STATUSES[known.reason ?? ''] ?? STATUSES[known.code],
      body: errorBody({ error: known, doctorReference, sentences }, ambient.now()),
    };
    if (request.complete) return sendJson(request, response, refusal);
    const end = (bytes: Buffer | undefined): void => endBeforeBody({ request, response, ambient }, bytes);
    sendJson(request, response, { ...refusal, headers: { Connection: 'close' }, end });
  }
}

interface Seen {
  operation: string;
  /** A person looks at the answer itself. */
  isPage: boolean;
}

interface FailedRequest extends Seen {
  request: IncomingMessage;
  response: ServerResponse;
  error: unknown;
  requestId: string;
}

function referenceOf(code: string, requestId: string, operation: string): string {
  return `doctor-${createHash('sha256').update(`${code}|${requestId}|${operation}`).digest('hex').slice(0, 12)}`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
