import type { Ambient, Environment } from '@fucina/shared';
import { createFlow, frameOf, type Viewer, type Watcher } from './flow.ts';
import { createReplayBuffer } from './replay-buffer.ts';
import { type PtyModule, type Shell, type ShellSize, startShell } from './shell.ts';
import type { ShellChoice, ShellKind } from './shell-choice.ts';

/** A tab: at most one shell, the end of its output, and its viewers. */
export interface Terminal {
  isActive(): boolean;
  /** Starts the shell when there is none. Earlier output is sent before the promise resolves. */
  attach(viewer: Viewer): Promise<Attachment>;
  /** Ends the shell and all its child processes, and disconnects every viewer. */
  close(reason: 'closed' | 'shutdown'): Promise<void>;
}

/** One viewer's connection to a terminal. */
export interface Attachment {
  write(bytes: Uint8Array): void;
  /** Invalid sizes are ignored. */
  resize(size: ShellSize): void;
  /** Acknowledges this many more bytes of output. After the first call, the shell waits for this viewer. */
  acknowledge(bytes: number): void;
  detach(): void;
}

export interface TerminalNeeds {
  ambient: Ambient;
  folder: string;
  environment: Environment;
  /** TERMINAL_STORE_UNAVAILABLE. */
  loadPty(): Promise<PtyModule>;
  /** Undefined when the folder or every shell is missing. */
  chooseShell(folder: string): Promise<ShellChoice | undefined>;
}

const REPLAY_BYTES = 200_000;
const IDLE_MS = 10 * 60_000;
const START_SIZE: ShellSize = { cols: 80, rows: 24 };
const MAX_SIDE = 1_000;

interface Running {
  shell: Shell;
  kind: ShellKind;
  command: string;
}

export function createTerminal(needs: TerminalNeeds): Terminal {
  const { ambient } = needs;
  const replay = createReplayBuffer(REPLAY_BYTES);
  let running: Running | undefined;
  let starting: Promise<Running | undefined> | undefined;
  /** Leftover processes of the last shell are being ended. */
  let ending: Promise<void> | undefined;
  let isClosed = false;
  let cancelIdle = (): void => undefined;
  /** Chunks read since the last frame: a terminal returns 4 KiB at a time. */
  let pending: Buffer[] = [];
  const flow = createFlow({
    ambient,
    onHold: (isHeld) => (isHeld ? running?.shell.pause() : running?.shell.resume()),
  });

  async function start(): Promise<Running | undefined> {
    const pty = await needs.loadPty();
    const choice = await needs.chooseShell(needs.folder);
    if (!choice || isClosed) return undefined;
    replay.clear();
    const shell = startShell(pty, {
      ambient,
      choice,
      folder: needs.folder,
      environment: needs.environment,
      size: START_SIZE,
      onData: print,
      onDrain: () => flow.holdInput(false),
      onExit: (code) => exit(code),
    });
    running = { shell, kind: choice.kind, command: choice.argv.join(' ') };
    return running;
  }

  function print(bytes: Buffer): void {
    if (pending.push(bytes) === 1) setImmediate(flush);
  }

  function flush(): void {
    if (pending.length === 0) return;
    const frame = frameOf(pending);
    pending = [];
    replay.push(frame.subarray(1));
    flow.print(frame);
  }

  function exit(code: number): void {
    flush();
    ending = running?.shell.stop();
    running = undefined;
    cancelIdle();
    flow.tell({ evento: 'uscita', codice: code });
    flow.end('exit');
  }

  async function ready(): Promise<{ now: Running | undefined; isResumed: boolean }> {
    if (running) return { now: running, isResumed: true };
    const isFirst = starting === undefined;
    starting ??= start().finally(() => (starting = undefined));
    return { now: await starting, isResumed: !isFirst };
  }

  function waitForViewers(): void {
    if (!running || flow.count() > 0) return;
    cancelIdle = ambient.timer(IDLE_MS, () => void running?.shell.stop());
  }

  function attachmentOf(watcher: Watcher): Attachment {
    return {
      write(bytes) {
        running?.shell.write(bytes);
        if (running?.shell.isFull()) flow.holdInput(true);
      },
      resize(size) {
        if (isSide(size.cols) && isSide(size.rows)) running?.shell.resize(size);
      },
      acknowledge: (bytes) => watcher.acknowledge(bytes),
      detach() {
        watcher.leave();
        waitForViewers();
      },
    };
  }

  return {
    isActive: () => running !== undefined,
    async attach(viewer) {
      const { now, isResumed } = await ready();
      flush();
      cancelIdle();
      const watcher = flow.join(viewer);
      const shell = now === running ? now : undefined;
      watcher.tell({
        evento: 'agganciato',
        ripreso: isResumed,
        shell: shell?.kind ?? null,
        comando: shell?.command ?? '',
      });
      if (shell && isResumed) watcher.print(frameOf([replay.read()]));
      if (!shell) {
        watcher.tell({ evento: 'uscita', codice: null });
        flow.end(isClosed ? 'closed' : 'exit');
      }
      return attachmentOf(watcher);
    },
    async close(reason) {
      isClosed = true;
      await starting;
      cancelIdle();
      const shell = running?.shell;
      flow.end(reason);
      await Promise.all([shell?.stop(), ending]);
    },
  };
}

function isSide(value: number): boolean {
  return Number.isInteger(value) && value >= 2 && value <= MAX_SIDE;
}
