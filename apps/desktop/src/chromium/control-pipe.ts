import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';

/** Chrome's DevTools protocol over a pipe: no port is opened, so no other program can control the browser. */
export interface ControlPipe {
  /** Rejects when the browser refuses the command or has ended. */
  send(method: string, params?: object, sessionId?: string): Promise<unknown>;
  /** Calls back for each event of the browser, in order. */
  onEvent(listener: (method: string, params: unknown) => void): void;
}

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export function openControlPipe(input: Writable, output: Readable): ControlPipe {
  const waiting = new Map<number, Waiting>();
  const listeners: ((method: string, params: unknown) => void)[] = [];
  let lastId = 0;
  let isClosed = false;

  function receive(text: string): void {
    const { id, method, params, result, error } = message.parse(JSON.parse(text));
    if (method !== undefined) for (const listener of listeners) listener(method, params);
    const call = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || !call) return;
    waiting.delete(id);
    if (error) call.reject(new Error(error.message));
    else call.resolve(result);
  }

  function end(): void {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new Error('the browser has ended'));
    waiting.clear();
  }

  readMessages(output, receive);
  output.once('close', end);
  // Its reader may be gone: the close of the other pipe reports that.
  input.on('error', () => undefined);
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the browser has ended'));
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      }),
    onEvent: (listener) => void listeners.push(listener),
  };
}

/** Messages end with a zero byte. */
function readMessages(output: Readable, receive: (text: string) => void): void {
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const texts = (rest + chunk).split('\0');
    rest = texts.pop() ?? '';
    for (const text of texts) receive(text);
  });
}
