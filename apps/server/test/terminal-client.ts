import WebSocket from 'ws';
import { type TestServer, TOKEN } from './harness.ts';

export interface TerminalClient {
  /** The output, at most its last 400,000 characters. */
  text(): string;
  bytes(): number;
  /** Control records, in order. */
  readonly events: Record<string, any>[];
  /** The first byte of every frame, in order, up to 1,000. */
  readonly kinds: number[];
  type(line: string): void;
  raw(bytes: Uint8Array): void;
  control(record: unknown): void;
  /** Sends a raw frame. */
  send(data: string | Uint8Array): void;
  /** Stops reading until resumed. */
  pause(): void;
  resume(): void;
  /** Resolves once the text contains it; rejects when the connection ends before. */
  sees(part: string): Promise<void>;
  readonly closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

const KEPT = 400_000;

export interface UpgradeOptions {
  /** The query after `?`; default: the id. */
  search?: string;
  headers?: Record<string, string>;
  isAnonymous?: boolean;
  origin?: string;
}

export interface Refusal {
  status: number;
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * A real client; rejects with the response that refused the upgrade (a `Refusal`), or an error when the connection was
 * dropped.
 */
export function terminalClient(
  server: Pick<TestServer, 'port'>,
  id: string,
  options: UpgradeOptions = {},
): Promise<TerminalClient> {
  const { search = `id=${encodeURIComponent(id)}`, headers = {}, isAnonymous, origin } = options;
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/terminal/ws?${search}`, {
    headers: { ...(!isAnonymous && { cookie: `svc_token=${TOKEN}` }), ...headers },
    ...(origin !== undefined && { origin }),
  });
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const events: Record<string, any>[] = [];
  const kinds: number[] = [];
  let look = (): void => undefined;
  let giveUp = (_why: Error): void => undefined;
  const joined = (): string => {
    if (pieces.length > 0) text = (text + pieces.splice(0).join('')).slice(-KEPT);
    return text;
  };
  socket.on('message', (frame: Buffer) => {
    if (kinds.length < 1_000) kinds.push(frame[0] as number);
    if (frame[0] === 1) events.push(JSON.parse(frame.subarray(1).toString()));
    else {
      bytes += frame.length - 1;
      pieces.push(decoder.decode(frame.subarray(1), { stream: true }));
      if (pieces.length > 500) joined();
    }
    look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => {
      giveUp(
        new Error(`the connection ended (${code} ${reason.toString()}) after ${JSON.stringify(joined().slice(-400))}`),
      );
      resolve({ code, reason: reason.toString() });
    }),
  );
  const raw = (content: Uint8Array): void => socket.send(Buffer.concat([Buffer.from([0]), content]));
  const client: TerminalClient = {
    text: joined,
    bytes: () => bytes,
    events,
    kinds,
    type: (line) => raw(Buffer.from(`${line}\r`)),
    raw,
    control: (record) => socket.send(Buffer.concat([Buffer.from([1]), Buffer.from(JSON.stringify(record))])),
    send: (data) => socket.send(data),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    sees: (part) =>
      new Promise((resolve, reject) => {
        giveUp = reject;
        look = () => {
          if (!joined().includes(part)) return;
          look = () => undefined;
          resolve();
        };
        look();
      }),
    closed,
    close: () => socket.close(),
  };
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client));
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        reject({
          status: response.statusCode ?? 0,
          body: JSON.parse(body),
          headers: response.headers,
        } satisfies Refusal),
      );
    });
    socket.on('error', reject);
  });
}
