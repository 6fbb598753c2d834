import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { commonError } from '@fucina/shared';
import { queryOf } from './decode.ts';
import type { Step } from './locals.ts';

/** The only WebSocket path, below `/api`. */
export const TERMINAL_PATH = '/v1/terminal/ws';
const MAX_ID_LENGTH = 200;
/** Reason for an unknown terminal; answered with 403. */
export const UNKNOWN_TERMINAL = 'unknown-terminal';

/** A connection after its HTTP upgrade, with data received beyond the request's headers. */
export interface Connection {
  socket: Socket;
  head: Buffer;
}

export interface TerminalNeeds {
  /** Whether the terminal with this id may be viewed. */
  isTerminal(terminalId: string): Promise<boolean>;
  connectTerminal(terminalId: string, request: IncomingMessage, connection: Connection): Promise<void>;
}

const connections = new WeakMap<IncomingMessage, Connection>();

/** An upgrade request goes through the application and its gate like any other; an error is an ordinary response. */
export function passUpgrade(app: RequestListener, request: IncomingMessage, connection: Connection): void {
  const { socket } = connection;
  socket.on('error', () => undefined); // the connection is closed; nobody is left to notify
  connections.set(request, connection);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  app(request, response);
}

export const onlyUpgrades: Step = (request, response, next) => {
  if (!connections.has(request)) return next('route');
  response.locals.operation = `UPGRADE /api${TERMINAL_PATH}`;
  next();
};

/** Passes the connection to its terminal. A connection with an invalid id is closed. */
export function acceptTerminal({ isTerminal, connectTerminal }: TerminalNeeds): Step {
  return async (request, response) => {
    const connection = connections.get(request) as Connection;
    const id = terminalId(request.originalUrl);
    if (id !== undefined && !(await isTerminal(id))) throw commonError('NOT_FOUND', { reason: UNKNOWN_TERMINAL });
    response.detachSocket(connection.socket);
    if (id === undefined) return void connection.socket.destroy();
    await connectTerminal(id, request, connection);
    response.statusCode = 101;
    response.emit('close'); // logged like any response
  };
}

function terminalId(url: string): string | undefined {
  const [[name, id = ''] = [], ...others] = queryOf(url);
  const isId = name === 'id' && id.length > 0 && id.length <= MAX_ID_LENGTH;
  return isId && others.length === 0 ? id : undefined;
}
