import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once as onceEvent } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Ambient } from './ambient.ts';
import { type Environment, withoutSecrets } from './child-environment.ts';
import type { FromLauncher, Launched, LaunchRequest, ProcessLauncher, StartedChild, ToLauncher } from './launch.ts';
import { moduleBeside } from './module-beside.ts';
import { endWithThisProcess } from './process-sweep.ts';

const STARTS_AFTER_MS = 200;
/** An unused launcher ends after this time; the next request starts another. */
const IDLE_MS = 10 * 60_000;
const GREETING_MS = 2_000;
const MAX_GREETING = 64;
const entry = moduleBeside(import.meta.url, 'process-launcher-main');
/** The launchers of this process: their children count as its own. */
const launchers = new Set<number>();

export function launcherPids(): readonly number[] {
  return [...launchers];
}

interface Pending {
  settle(launched: Launched): void;
  streams: readonly (Duplex | null)[];
  child?: StartedChild & EventEmitter & { exitCode: number | null; signalCode: NodeJS.Signals | null };
}

export function createProcessLauncher({
  ambient,
  environment,
}: {
  ambient: Ambient;
  environment: Environment;
}): ProcessLauncher {
  let running: Running | undefined;
  let isStarting = false;
  let isClosed = false;
  let cancel = (): void => undefined;

  const end = async (): Promise<void> => {
    const ended = running;
    running = undefined;
    await ended?.close();
  };
  const start = async (): Promise<void> => {
    try {
      const begun = await begin(ambient, environment, () => {
        if (running === begun) running = undefined;
      });
      if (isClosed) return await begun.close();
      running = begun;
    } catch (error) {
      ambient.log.warn('launcher.not-started', { error });
    } finally {
      isStarting = false;
    }
  };
  const startSoon = (): void => {
    if (isStarting || isClosed || process.platform !== 'linux') return;
    isStarting = true;
    cancel = ambient.timer(STARTS_AFTER_MS, () => void start());
  };

  return {
    launch(request) {
      if (!running) {
        startSoon();
        return undefined;
      }
      cancel();
      cancel = ambient.timer(IDLE_MS, () => void end());
      return running.launch(request);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      cancel();
      await end();
    },
  };
}

interface Running {
  launch(request: LaunchRequest): Promise<Launched> | undefined;
  close(): Promise<void>;
}

async function begin(ambient: Ambient, environment: Environment, onEnd: () => void): Promise<Running> {
  const word = ambient.newId();
  const lines = new Map<number, Socket>();
  const server = createServer((socket) => admit(ambient, socket, { word, lines }));
  const address = `\0fucina-${ambient.newId()}`;
  server.unref().listen(address);
  await onceEvent(server, 'listening');
  const child = fork(fileURLToPath(entry), [], {
    env: withoutSecrets(environment),
    execArgv: [],
    // Own session, out of reach of the terminal's interrupts: it ends when this process disconnects.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return follow(child, { server, lines, begin: { kind: 'begin', address, word }, onEnd });
}

interface Surroundings {
  server: Server;
  lines: Map<number, Socket>;
  begin: ToLauncher;
  onEnd(): void;
}

function follow(child: ChildProcess, { server, lines, begin: greeted, onEnd }: Surroundings): Running {
  const pending = new Map<number, Pending>();
  let count = 0;
  const forget = child.pid === undefined ? undefined : endWithThisProcess(child.pid);
  if (child.pid !== undefined) launchers.add(child.pid);
  child.unref();
  child.channel?.unref();
  const gone = new Promise<void>((resolve) => {
    const over = (): void => {
      launchers.delete(child.pid ?? 0);
      forget?.();
      server.close();
      for (const socket of lines.values()) socket.destroy();
      // Their ends are no longer reported: their followers end what is left of them.
      for (const id of pending.keys()) settleLost(pending, id);
      onEnd();
      resolve();
    };
    child.once('exit', over);
    child.once('error', over);
  });
  child.on('message', (message: FromLauncher) => receive(message, pending));
  child.send(greeted, () => undefined);

  return {
    launch({ argv, cwd, env, isDetached, isPiped, files }) {
      const free = [...lines.keys()].slice(0, isPiped.filter(Boolean).length);
      if (free.length < isPiped.filter(Boolean).length || !child.connected) return undefined;
      const chosen = isPiped.map((wanted) => (wanted ? (free.shift() ?? null) : null));
      const streams = chosen.map((line) => (line === null ? null : (lines.get(line) ?? null)));
      for (const line of chosen) if (line !== null) lines.delete(line);
      count += 1;
      const id = count;
      // /proc names this process's own descriptors by its process id.
      const place = cwd.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
      child.send({ kind: 'launch', id, argv, cwd: place, env, isDetached, lines: chosen, files } satisfies ToLauncher);
      return new Promise((settle) => pending.set(id, { settle, streams }));
    },
    async close() {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

function receive(message: FromLauncher, pending: Map<number, Pending>): void {
  const asked = pending.get(message.id);
  if (!asked) return;
  if (message.kind === 'started') {
    asked.child = startedChild(message.pid, asked.streams);
    return asked.settle({ child: asked.child });
  }
  pending.delete(message.id);
  if (message.kind === 'ended') return over(asked, message);
  for (const stream of asked.streams) stream?.destroy();
  asked.settle({ problem: message.problem });
}

function settleLost(pending: Map<number, Pending>, id: number): void {
  const asked = pending.get(id);
  pending.delete(id);
  if (asked?.child) return over(asked, { exitCode: null, signal: 'SIGKILL' });
  for (const stream of asked?.streams ?? []) stream?.destroy();
  asked?.settle({ problem: 'ECHILD' });
}

/** The caller that waits for the start attaches its follower before the exit is reported. */
function over({ child }: Pending, { exitCode, signal }: { exitCode: number | null; signal: NodeJS.Signals | null }) {
  setImmediate(() => {
    if (child) Object.assign(child, { exitCode, signalCode: signal });
    child?.emit('exit', exitCode, signal);
  });
}

/** Emits the events of a ChildProcess: `exit`, and `close` once its streams have ended, too. */
function startedChild(pid: number, streams: Pending['streams']): NonNullable<Pending['child']> {
  const [stdin = null, stdout = null, stderr = null] = streams;
  const child = Object.assign(new EventEmitter(), {
    pid,
    stdin,
    stdout,
    stderr,
    stdio: streams,
    exitCode: null as number | null,
    signalCode: null as NodeJS.Signals | null,
  });
  child.once('exit', () => stdin?.destroy());
  const read = streams.slice(1).filter((stream) => stream !== null);
  const ends = [child, ...read].map((one) => new Promise((end) => one.once(one === child ? 'exit' : 'close', end)));
  void Promise.all(ends).then(() => child.emit('close', child.exitCode, child.signalCode));
  return child as unknown as NonNullable<Pending['child']>;
}

/** A connection is accepted once it has sent the greeting; others are closed. */
function admit(ambient: Ambient, socket: Socket, { word, lines }: { word: string; lines: Map<number, Socket> }): void {
  let text = '';
  const cancel = ambient.timer(GREETING_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const read = (): void => {
    // Reads no more than the greeting: what follows belongs to the program.
    for (let byte = socket.read(1) as Buffer | null; byte !== null; byte = socket.read(1) as Buffer | null) {
      text += byte.toString('latin1');
      if (text.length > MAX_GREETING) return void socket.destroy();
      if (!text.endsWith('\n')) continue;
      cancel();
      socket.off('readable', read);
      const [said, line] = text.trim().split(' ');
      if (said === word && Number(line) > 0) lines.set(Number(line), socket);
      else socket.destroy();
      return;
    }
  };
  socket.on('readable', read);
}
