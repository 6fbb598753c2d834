import { type Ambient, type Environment, type ProcessOutcome, type RunningProcess, startProcess } from '@fucina/shared';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { errorInstead, holdMessage, TOO_LONG } from './long-message.ts';
import { StartFailure } from './server-failure.ts';

export interface StdioServer {
  ambient: Ambient;
  environment: Environment;
  /** Environment of this server only. */
  extraEnvironment?: Environment | undefined;
  /** Program (absolute) and arguments. */
  argv: readonly [string, ...string[]];
  /** Absolute. */
  folder: string;
  /** What it writes on its standard error, as it comes. */
  onOutput?(text: string): void;
  /** Called before `onclose` when the program ended by itself. */
  onExit?(outcome: ProcessOutcome): void;
}

const STORED_OUTPUT = 64 * 1024;
/** A program that ends closes its input first: this long its end is waited for, which says more. */
const ENDING_MS = 1_000;

/**
 * A server as a child process that speaks line by line on its standard streams. It gets none of our secrets, and its
 * child processes end with it.
 */
export function stdioTransport(server: StdioServer): Transport {
  const { ambient, environment, extraEnvironment, argv, folder } = server;
  let child: RunningProcess | undefined;
  const held = holdMessage();
  let isClosed = false;

  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    child?.input?.end();
    await child?.stop();
    transport.onclose?.();
  };
  const take = (line: Buffer): void => {
    if (line.length === 0 || (line.length === 1 && line[0] === 13)) return;
    let message: unknown;
    try {
      message = JSON.parse(line.toString('utf8'));
    } catch {
      // Some servers print other text: it is ignored.
      transport.onerror?.(new Error('a line that is no message'));
      return;
    }
    transport.onmessage?.(message as JSONRPCMessage);
  };
  const skip = (ends: { first: string; last: string }): void => {
    transport.onerror?.(new Error(TOO_LONG));
    const error = errorInstead(ends);
    if (error) transport.onmessage?.(error as JSONRPCMessage);
  };
  const read = (chunk: Buffer): void => {
    for (let rest = chunk; rest.length && !isClosed; ) {
      const end = rest.indexOf(10);
      const part = end < 0 ? rest : rest.subarray(0, end);
      held.push(part);
      if (end < 0) return;
      const message = held.take();
      if ('whole' in message) take(message.whole);
      else skip(message.skipped);
      rest = rest.subarray(end + 1);
    }
  };

  const transport: Transport = {
    async start() {
      child = startProcess({
        ambient,
        environment,
        ...(extraEnvironment && { extraEnvironment }),
        argv,
        cwd: folder,
        keepsInputOpen: true,
        isGuarded: true,
        keepBytes: STORED_OUTPUT,
        onText(text, stream) {
          if (stream === 'stderr') server.onOutput?.(text);
        },
        onBytes(chunk, stream) {
          if (stream === 'stdout') read(chunk);
          return undefined;
        },
      });
      if (child.pid === undefined) {
        const { problem } = await child.done;
        throw new StartFailure('program-not-found', problem ?? null);
      }
      void child.done.then((outcome) => {
        if (!isClosed) server.onExit?.(outcome);
        return close();
      });
    },
    async send(message) {
      const input = child?.input;
      if (!child || !input || isClosed) throw new Error('the server has ended');
      try {
        await new Promise<void>((resolve, reject) =>
          input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
        );
      } catch (error) {
        const late = new Promise<void>((resolve) => void ambient.timer(ENDING_MS, resolve));
        await Promise.race([child.done, late]);
        throw error;
      }
    },
    close,
  };
  return transport;
}
