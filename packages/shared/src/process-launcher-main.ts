import { type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { closeInherited } from './inherited-descriptors.ts';
import type { FromLauncher, ToLauncher } from './launch.ts';

/**
 * Starts programs for a server from a small process: a fork copies the parent's page tables, which takes a large
 * process several times as long. Each program gets connections to the server as its standard streams, so that no data
 * passes through here. It ends with the server.
 */
type Launch = Extract<ToLauncher, { kind: 'launch' }>;

/** Connections kept ready: one program takes two to four. */
const READY_LINES = 8;
const lines = new Map<number, Socket>();
let count = 0;
let server = { address: '', word: '' };

function keepLinesReady(): void {
  while (lines.size < READY_LINES) {
    count += 1;
    const line = count;
    const socket = connect(server.address);
    // What the server writes is for the program: it must not be read here.
    socket.pause();
    socket.on('error', () => socket.destroy());
    // Greeting of a connection: the shared secret, a space, its number.
    socket.write(`${server.word} ${line}\n`);
    lines.set(line, socket);
  }
}

function launch({ id, argv: [program, ...args], cwd, env, isDetached, lines: wanted, files }: Launch): void {
  const sockets = wanted.map((line) => (line === null ? undefined : lines.get(line)));
  for (const line of wanted) if (line !== null) lines.delete(line);
  const opened: number[] = [];
  try {
    for (const file of files) opened.push(openSync(file, 'r'));
    const stdio = [...sockets.map((socket) => socket ?? 'ignore'), ...opened] as StdioOptions;
    const child = spawn(program, args, { cwd, env, detached: isDetached, stdio });
    child.once('error', (error) => {
      if (child.pid === undefined) tell({ kind: 'not-started', id, problem: codeOf(error) });
    });
    if (child.pid !== undefined) tell({ kind: 'started', id, pid: child.pid });
    child.once('exit', (exitCode, signal) => {
      if (child.pid !== undefined) tell({ kind: 'ended', id, exitCode, signal });
    });
  } catch (error) {
    tell({ kind: 'not-started', id, problem: codeOf(error) });
  } finally {
    // The program has its own copies.
    for (const descriptor of opened) closeSync(descriptor);
    for (const socket of sockets) socket?.destroy();
  }
  setImmediate(keepLinesReady);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
}

function tell(message: FromLauncher): void {
  if (process.connected) process.send?.(message);
}

closeInherited();
process.on('message', (message: ToLauncher) => {
  if (message.kind === 'launch') return launch(message);
  server = message;
  keepLinesReady();
});
process.on('disconnect', () => process.exit());
