import { PassThrough, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type Ambient, type Environment, launchProcess, type RunningProcess, textStart } from '@fucina/shared';
import {
  createProtocolConnection,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { CLIENT_CAPABILITIES } from './client-capabilities.ts';

/** How a program starts inside the sandbox. */
export interface SandboxedProgram {
  argv: readonly [string, ...string[]];
  cwd: string;
  extraEnvironment: Environment;
  isContainer: boolean;
  files: readonly string[];
  /** See `ProcessOptions.admit`. */
  admit?: ((pid: number) => boolean) | undefined;
  /** After its end. */
  release(): Promise<void>;
}

export interface ServerProcess {
  connection: ProtocolConnection;
  capabilities: InitializeResult['capabilities'];
  /** Resolves when its processes have ended, with the end of what it printed on standard error. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ServerProcessNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Absolute real path of the project. */
  folder: string;
  program: SandboxedProgram;
  /** Variables of this server. */
  variables: Environment;
  /** See `ServerKind.options`. */
  options: object | undefined;
  /** Ends the start. */
  signal: AbortSignal;
}

/** A server that does not start or answer; the message is for the user. */
export class ServerNotStarted extends Error {
  override readonly name = 'ServerNotStarted';
}

const START_MS = 30_000;
const STOP_MS = 1_000;
const STORED_OUTPUT = 16 * 1024;
const SHOWN_OUTPUT = 400;
/** A server that sends more without completing a message is ended, so that it cannot fill the memory. */
const MAX_MESSAGE = 64 * 1024 * 1024;

export async function startServerProcess(needs: ServerProcessNeeds): Promise<ServerProcess> {
  const { ambient, environment, program, variables } = needs;
  const fromServer = new PassThrough();
  let unread = 0;
  const child = await launchProcess({
    ambient,
    environment,
    extraEnvironment: { ...variables, ...program.extraEnvironment },
    argv: program.argv,
    cwd: program.cwd,
    isContainer: program.isContainer,
    files: program.files,
    admit: program.admit,
    keepsInputOpen: true,
    keepBytes: STORED_OUTPUT,
    onBytes(chunk, stream) {
      if (stream === 'stderr') return undefined;
      unread += chunk.length;
      if (unread > MAX_MESSAGE) void child.stop();
      else fromServer.write(chunk);
      return undefined;
    },
  });
  const ended = child.done.then(async ({ problem }) => {
    fromServer.end();
    await program.release();
    return problem ?? shownOutput(child);
  });
  if (!child.input) throw new ServerNotStarted(await ended);
  const connection = createProtocolConnection(
    new StreamMessageReader(fromServer),
    new StreamMessageWriter(toServer(child.input)),
    undefined,
    {
      messageStrategy: {
        handleMessage: (message, next) => {
          unread = 0;
          void next(message);
        },
      },
    },
  );
  // What fails here ends with the process, which `ended` reports.
  connection.onError(() => undefined);
  answerServer(connection);
  connection.listen();
  const stop = (): Promise<void> => stopServer(needs, { connection, child, ended });
  try {
    const { capabilities } = await initialize(needs, connection, ended);
    return { connection, capabilities, ended, stop };
  } catch (error) {
    await child.stop();
    const printed = await ended;
    throw new ServerNotStarted(printed || (error instanceof Error ? error.message : 'no answer'), { cause: error });
  }
}

async function initialize(
  { ambient, folder, options, signal }: ServerProcessNeeds,
  connection: ProtocolConnection,
  ended: Promise<string>,
): Promise<InitializeResult> {
  const rootUri = pathToFileURL(folder).href;
  let cancel = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = (why: string): void => reject(new ServerNotStarted(why));
    cancel = ambient.timer(START_MS, () => fail(`no answer in ${START_MS / 1000} s`));
    void ended.then((printed) => fail(printed || 'it ended at once'));
    signal.addEventListener('abort', () => fail('stopped'), { once: true });
    if (signal.aborted) fail('stopped');
  });
  try {
    const asked = connection.sendRequest(InitializeRequest.type, {
      // In its own process namespace the server cannot see ours, and would end at once.
      processId: null,
      clientInfo: { name: 'Fucina' },
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: 'project' }],
      capabilities: CLIENT_CAPABILITIES,
      ...(options && { initializationOptions: options }),
    });
    const answer = await Promise.race([asked, late]);
    await connection.sendNotification(InitializedNotification.type, {});
    return answer;
  } finally {
    cancel();
  }
}

/** A message to a server that has ended is dropped: its end is reported by `ended`. */
function toServer(input: Writable): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (input.destroyed || !input.writable) done();
      else input.write(chunk, () => done());
    },
  });
}

/** What a server may ask of an editor: settings are defaults; edits on its own account are refused. */
function answerServer(connection: ProtocolConnection): void {
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) => items.map(() => null));
  connection.onRequest('workspace/applyEdit', () => ({ applied: false }));
  for (const method of [
    'client/registerCapability',
    'client/unregisterCapability',
    'window/workDoneProgress/create',
    'window/showMessageRequest',
    'workspace/diagnostic/refresh',
  ]) {
    connection.onRequest(method, () => null);
  }
}

async function stopServer(
  { ambient }: ServerProcessNeeds,
  { connection, child, ended }: { connection: ProtocolConnection; child: RunningProcess; ended: Promise<string> },
): Promise<void> {
  const asked = connection
    .sendRequest(ShutdownRequest.type)
    .then(() => connection.sendNotification(ExitNotification.type))
    // It has ended already.
    .catch(() => undefined);
  const limit = new AbortController();
  const cancel = ambient.timer(STOP_MS, () => limit.abort());
  await Promise.race([
    asked,
    ended,
    new Promise((resolve) => limit.signal.addEventListener('abort', resolve, { once: true })),
  ]);
  cancel();
  await child.stop();
  await ended;
  connection.dispose();
}

function shownOutput(child: RunningProcess): string {
  const text = child
    .seen()
    .stderr.bytes.toString('utf8')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
    .trim();
  return textStart(text.split('\n').slice(0, 3).join(' '), SHOWN_OUTPUT);
}
