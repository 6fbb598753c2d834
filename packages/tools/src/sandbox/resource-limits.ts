import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ambient, Environment } from '@fucina/shared';
import { findProgram } from './find-program.ts';

/** Processes and threads of a command (of a session's commands, where the server runs as root). Large builds stay far below. */
export const MAX_PROCESSES = 4096;

export interface ProcessLimit extends AsyncDisposable {
  /** Program and arguments before the sandbox. */
  outside(sessionId: string): Promise<readonly string[]>;
  /** Program and arguments before the command, in the sandbox. */
  inside(): Promise<readonly string[]>;
  forget(sessionId: string): Promise<void>;
}

/**
 * The system's limit counts the processes of a user namespace, and never those of root. So for root it is a control group,
 * where the system has one that can be written.
 */
export function createProcessLimit(ambient: Ambient, environment: Environment): ProcessLimit {
  const isRoot = process.getuid?.() === 0;
  const groups = new Map<string, Promise<string | undefined>>();
  let program: Promise<string | undefined> | undefined;
  const groupOf = (sessionId: string): Promise<string | undefined> => {
    const made = groups.get(sessionId) ?? makeGroup(`fucina-${process.pid}-${ambient.newId()}`);
    groups.set(sessionId, made);
    return made;
  };
  const forget = async (sessionId: string): Promise<void> => {
    const made = groups.get(sessionId);
    groups.delete(sessionId);
    const group = await made;
    if (group !== undefined) await remove(group);
  };
  return {
    async outside(sessionId) {
      const group = isRoot ? await groupOf(sessionId) : undefined;
      return group === undefined ? [] : ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs"; exec "$@"', group];
    },
    async inside() {
      program ??= findProgram(environment, 'prlimit');
      const found = await program;
      return found === undefined ? [] : [found, `--nproc=${MAX_PROCESSES}:${MAX_PROCESSES}`, '--core=0:0', '--'];
    },
    forget,
    async [Symbol.asyncDispose]() {
      await Promise.all([...groups.keys()].map(forget));
    },
  };
}

/** Beside this process's own group: one that holds processes can hold no limited groups below it. Undefined where there is none. */
async function makeGroup(name: string): Promise<string | undefined> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8').catch(() => '')).split('\n');
  const old = lines.find((line) => line.split(':')[1] === 'pids')?.split(':')[2];
  const unified = lines.find((line) => line.startsWith('0::'))?.slice(3);
  const parents = [
    ...(old === undefined ? [] : [join('/sys/fs/cgroup/pids', old)]),
    ...(unified === undefined ? [] : [join('/sys/fs/cgroup', unified === '/' ? '/' : dirname(unified))]),
  ];
  for (const parent of parents) {
    const group = join(parent, name);
    try {
      await mkdir(group);
    } catch {
      continue; // not there, or not ours to change
    }
    await removeLeft(parent);
    try {
      await writeFile(join(group, 'pids.max'), String(MAX_PROCESSES));
      return group;
    } catch {
      await remove(group); // this tree does not count processes
    }
  }
  return undefined;
}

/** Groups of servers that were killed. */
async function removeLeft(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^fucina-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await remove(join(parent, name));
  }
}

/** The system keeps a group in which something still runs. */
async function remove(group: string): Promise<void> {
  await rmdir(group).catch(() => undefined);
}
