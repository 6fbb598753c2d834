import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { type Ambient, type Environment, signalProcess, withoutSecrets } from '@fucina/shared';
import { findProgram } from '../find-program.ts';

export interface NamespacePrograms {
  /** Absolute paths. */
  bubblewrap: string;
  nsenter: string;
}

/** Undefined where one of them is not installed. */
export async function findNamespacePrograms(environment: Environment): Promise<NamespacePrograms | undefined> {
  const [bubblewrap, nsenter] = await Promise.all(['bwrap', 'nsenter'].map((name) => findProgram(environment, name)));
  return bubblewrap === undefined || nsenter === undefined ? undefined : { bubblewrap, nsenter };
}

/** A separate network: only a loopback interface, with one listening socket that this process serves. */
export interface NetworkNamespace {
  /** Program and arguments that run the rest of a command line in it. */
  prefix: readonly [string, ...string[]];
  /** True if it belongs to a user namespace created for it. */
  isUserNamespace: boolean;
  listener: Server;
  /** Port of `listener` on 127.0.0.1 of the namespace. */
  port: number;
  /** `net:[…]`, as /proc names it. */
  identity: string;
  /** Starts one of our programs in it, with a channel for messages and sockets. End it with `endProgram`. */
  run(script: string): ChildProcess;
  /** Ends with its last process. Does not close the listener. */
  release(): void;
}

/** The system does not support network namespaces, or the program that creates them is not installed. */
export class NetworkRefused extends Error {
  override readonly name = 'NetworkRefused';
  constructor(why: string) {
    super(`No network namespace: ${why}`);
  }
}

interface NamespaceNeeds {
  ambient: Ambient;
  environment: Environment;
  programs: NamespacePrograms;
}

const START_MS = 10_000;
const VIEW = '--die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc'.split(' ');
const MAPPED = ['--unshare-user', '--uid', '0', '--gid', '0'];

/** Listens and passes the socket on; waits until the other side has opened the namespace, which may have gone away. */
const HOLDER = `
setTimeout(() => process.exit(), ${2 * START_MS});
const server = require('net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 511 }, () => {
  process.send({ pid: process.pid, port: server.address().port }, server, { keepOpen: false });
});
process.on('message', () => process.exit());
process.on('disconnect', () => process.exit());
`;

/** Throws if the system refuses. Root may lack the privilege (in a container) and then maps itself. */
export async function createNamespace(needs: NamespaceNeeds): Promise<NetworkNamespace> {
  if (process.getuid?.() !== 0) return start(needs, true);
  try {
    return await start(needs, false);
  } catch {
    return start(needs, true);
  }
}

async function start(needs: NamespaceNeeds, isUserNamespace: boolean): Promise<NetworkNamespace> {
  const { bubblewrap, nsenter } = needs.programs;
  const launch = ([program, ...before]: readonly [string, ...string[]], script: string): ChildProcess =>
    spawn(program, [...before, ...VIEW, '--', process.execPath, '-e', script], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: withoutSecrets(needs.environment),
      cwd: '/',
      detached: true,
    });
  const child = launch([bubblewrap, ...(isUserNamespace ? MAPPED : []), '--unshare-net'], HOLDER);
  const opened: number[] = [];
  const openNamespace = (pid: number, kind: 'net' | 'user'): string => {
    const descriptor = openSync(`/proc/${pid}/ns/${kind}`, 'r');
    opened.push(descriptor);
    return `/proc/${process.pid}/fd/${descriptor}`;
  };
  try {
    const { pid, port, listener } = await handedOver(needs, child);
    listener.unref();
    const net = openNamespace(pid, 'net');
    const user = isUserNamespace ? [`--user=${openNamespace(pid, 'user')}`, '--preserve-credentials'] : [];
    const prefix = [nsenter, ...user, `--net=${net}`, '--'] as const;
    return {
      prefix,
      run: (script) => launch([...prefix, bubblewrap], script),
      isUserNamespace,
      listener,
      port,
      identity: readlinkSync(net),
      release: () => opened.splice(0).forEach(closeSync),
    };
  } catch (error) {
    opened.splice(0).forEach(closeSync);
    throw error;
  } finally {
    endProgram(child);
  }
}

/**
 * While bubblewrap starts, its second process would outlive the first: their group has both, until the second leaves it
 * and becomes our program, which ends with its channel.
 */
export function endProgram(child: ChildProcess): void {
  const isRunning = child.exitCode === null && child.signalCode === null;
  if (child.pid !== undefined && isRunning) signalProcess(-child.pid, 'SIGKILL');
  if (child.connected) child.disconnect();
}

interface HandedOver {
  /** As this process sees it. */
  pid: number;
  port: number;
  listener: Server;
}

function handedOver({ ambient }: NamespaceNeeds, child: ChildProcess): Promise<HandedOver> {
  let refusal = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (refusal.length < 2_000) refusal += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      cancel();
      reject(new NetworkRefused(why));
    };
    const cancel = ambient.timer(START_MS, () => fail('it took too long'));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(refusal.trim().split('\n')[0] || `exit code ${code}`));
    child.once('message', (message: { pid: number; port: number }, listener) => {
      cancel();
      resolve({ ...message, listener: listener as Server });
    });
  });
}
