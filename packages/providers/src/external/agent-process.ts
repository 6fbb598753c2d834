import { Readable, Writable } from 'node:stream';
import {
  type ClientApp,
  type ClientConnection,
  type InitializeResponse,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk';
import { type Ambient, type Environment, type RunningProcess, startProcess } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import type { ExternalAgent } from '../store.ts';
import { failureOf, WireFailure } from '../wires/failure.ts';

/** The running program of the external agent, connected through its standard input and output. */
export interface AgentProcess {
  connection: ClientConnection;
  about: InitializeResponse;
  /** Resolves when the program has ended, for whatever reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

export interface AgentProcessNeeds {
  ambient: Ambient;
  /** Environment of this process: the agent gets only its safe part. */
  environment: Environment;
  agent: ExternalAgent;
  /** Absolute. */
  folder: string;
  /** Handlers for the agent's requests. */
  app: ClientApp;
  signal: AbortSignal;
}

const MAX_MESSAGE_BYTES = 16_777_216;
const KEEP_STDERR = 65_536;

/** Starts the program and initializes the connection. Throws a WireFailure; no process is left then. */
export async function startAgent(needs: AgentProcessNeeds): Promise<AgentProcess> {
  const started = launch(needs);
  const { child, connection } = started;
  const ended = child.done.then(({ ending, exitCode, problem }) => {
    connection.close();
    needs.ambient.log.info('agent.ended', { ending, exitCode, problem: problem ?? null });
  });
  const stop = async (): Promise<void> => {
    connection.close();
    await child.stop();
  };
  try {
    const about = await greet(connection, needs.signal);
    if (about.protocolVersion !== PROTOCOL_VERSION) throw new Error('protocol version');
    return { connection, about, ended, stop };
  } catch (cause) {
    await stop();
    needs.signal.throwIfAborted();
    const { problem } = await child.done;
    needs.ambient.log.warn('agent.not-started', { problem: problem ?? null, error: String(cause) });
    throw notStarted(problem, cause);
  }
}

function launch({ ambient, environment, agent, folder, app }: AgentProcessNeeds): {
  child: RunningProcess;
  connection: ClientConnection;
} {
  const output = new Readable({ read: () => wake?.() });
  let wake: (() => void) | undefined;
  const child = startProcess({
    ambient,
    argv: [agent.command, ...agent.args],
    cwd: folder,
    environment,
    keepsInputOpen: true,
    isGuarded: true,
    keepBytes: KEEP_STDERR,
    onBytes(chunk, stream) {
      if (stream === 'stderr' || output.push(chunk)) return undefined;
      return new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
  });
  void child.done.then(() => {
    wake?.();
    output.push(null);
  });
  // A program that failed to start has no input: writes to it are discarded, and its end closes the connection.
  const input = child.input ?? new Writable({ write: (_chunk, _encoding, done) => done() });
  const stream = ndJsonStream(
    Writable.toWeb(input) as WritableStream<Uint8Array>,
    Readable.toWeb(output) as unknown as ReadableStream<Uint8Array>,
    { maxMessageBytes: MAX_MESSAGE_BYTES },
  );
  return { child, connection: app.connect(stream) };
}

function greet({ agent, closed }: ClientConnection, signal: AbortSignal): Promise<InitializeResponse> {
  const greeting = agent.request(
    methods.agent.initialize,
    {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'fucina', title: 'Fucina', version: VERSION },
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  const gone = closed.then((): never => {
    throw new Error('the agent ended');
  });
  return Promise.race([greeting, gone]);
}

function notStarted(problem: string | undefined, cause: unknown): WireFailure {
  const message =
    problem === undefined
      ? 'The external agent does not answer as one; start it in a terminal to see why.'
      : 'The program of the external agent cannot be started.';
  return new WireFailure(failureOf('not-configured', { code: 'PROVIDER_RUNTIME_UNAVAILABLE', message }), { cause });
}
