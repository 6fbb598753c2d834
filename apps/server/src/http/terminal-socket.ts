import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ControlEvent, SessionTerminals, TerminalAttachment, Viewer, ViewerEnd } from '@fucina/host';
import { type Ambient, isAppError } from '@fucina/shared';
import type { RawData, WebSocket, WebSocketServer } from 'ws';

/** The frames of a terminal: the first byte distinguishes output from a control record. */
const RAW = 0;
const CONTROL = 1;
/** Maximum size of a paste; the protocol rejects more. */
const MAX_FRAME_BYTES = 1024 * 1024;
const MAX_CONTROL_BYTES = 1_024;

/** Close codes; the reason is the same in a word. */
const ENDS: Record<ViewerEnd, number> = { exit: 1000, closed: 1000, shutdown: 1001, slow: 4008 };
const UNAVAILABLE = 1011;

export interface TerminalSockets {
  /** The caller is already authorized. */
  accept(terminalId: string, request: IncomingMessage, connection: { socket: Duplex; head: Buffer }): Promise<void>;
  /** Closes all connections. */
  cut(): void;
}

export function createTerminalSockets(needs: { ambient: Ambient; terminals(): SessionTerminals }): TerminalSockets {
  const open = new Set<WebSocket>();
  let server: WebSocketServer | undefined;

  async function loaded(): Promise<WebSocketServer> {
    const ws = await import('ws');
    server ??= new ws.WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
    });
    return server;
  }

  async function serve(socket: WebSocket, terminalId: string): Promise<void> {
    open.add(socket);
    socket.pause();
    socket.on('error', (error) => needs.ambient.log.info('terminal.socket', { terminalId, error }));
    let attachment: TerminalAttachment | undefined;
    socket.on('close', () => {
      open.delete(socket);
      attachment?.detach();
    });
    try {
      attachment = await needs.terminals().attach(terminalId, viewerOf(socket));
    } catch (error) {
      if (!isAppError(error)) needs.ambient.log.error('terminal.failed', { terminalId, error });
      socket.close(UNAVAILABLE, isAppError(error) ? error.code : 'INTERNAL_ERROR');
      socket.resume();
      return;
    }
    const hold = attachment;
    if (socket.readyState !== socket.OPEN) hold.detach();
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) receive(hold, data as Buffer);
    });
    socket.resume();
  }

  return {
    async accept(terminalId, request, { socket, head }) {
      const acceptor = await loaded();
      acceptor.handleUpgrade(request, socket, head, (accepted) => void serve(accepted, terminalId));
    },
    cut() {
      for (const socket of open) socket.terminate();
    },
  };
}

function viewerOf(socket: WebSocket): Viewer {
  return {
    print: (frame, taken) => socket.send(frame, () => taken()),
    tell: (event) => socket.send(controlFrame(event), () => undefined),
    hold(isHeld) {
      if (isHeld) socket.pause();
      else socket.resume();
    },
    end(reason) {
      // A paused socket does not receive the close frame.
      socket.resume();
      socket.close(ENDS[reason], reason);
    },
  };
}

function controlFrame(event: ControlEvent): Buffer {
  return Buffer.concat([Buffer.from([CONTROL]), Buffer.from(JSON.stringify(event))]);
}

/** Empty and unknown frames are ignored, as the interface requires. */
function receive(attachment: TerminalAttachment, frame: Buffer): void {
  const content = frame.subarray(1);
  if (frame[0] === RAW) attachment.write(content);
  if (frame[0] !== CONTROL || content.length > MAX_CONTROL_BYTES) return;
  const { tipo, cols, rows, byte } = recordOf(content);
  if (tipo === 'resize' && isCount(cols) && isCount(rows)) attachment.resize({ cols, rows });
  if (tipo === 'mostrati' && isCount(byte)) attachment.acknowledge(byte);
}

function recordOf(content: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // not a control record: ignored
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
