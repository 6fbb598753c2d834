import { totalmem } from 'node:os';
import type { Ambient, Environment } from '@fucina/shared';
import { findProgram } from '../find-program.ts';
import { type Limits, makeSessionGroups, type SessionGroups } from './control-groups.ts';

/**
 * Maximum processes and threads of a command (of a session's commands, with control groups). Large builds need far
 * fewer.
 */
const MAX_PROCESSES = 4096;
/** Share of the machine's memory for all commands of one session. */
const MEMORY_SHARE = 0.75;

export interface ResourceLimits extends AsyncDisposable {
  /** Program and arguments before the sandbox. */
  outside(sessionId: string): Promise<readonly string[]>;
  /** Program and arguments before the command, in the sandbox; with a limit of each process's data segment. */
  inside(memoryBytes?: number): Promise<readonly string[]>;
  /** Why commands of a session were killed since the last call, as sentences. */
  refusals(sessionId: string): readonly string[];
  forget(sessionId: string): Promise<void>;
}

interface Session {
  groups: Promise<SessionGroups>;
  /** Resolves once they are created. */
  made?: SessionGroups;
  reportedKills: number;
}

/**
 * Moves itself into the groups listed before `--` and executes the rest. When memory is short, the kernel kills
 * commands before the server.
 */
const ENTER =
  'while [ "$1" != -- ]; do { echo $$ > "$1/cgroup.procs"; } 2>/dev/null; shift; done; shift; { echo 500 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"';

/**
 * The system's own limit counts the processes of a user namespace, but not those of root: for root there are only
 * groups.
 */
export function createResourceLimits(
  ambient: Ambient,
  environment: Environment,
  limits: Limits = { processes: MAX_PROCESSES, memory: memoryLimit() },
): ResourceLimits {
  const sessions = new Map<string, Session>();
  let program: Promise<string | undefined> | undefined;

  const groupsOf = (sessionId: string): Promise<SessionGroups> => {
    const known = sessions.get(sessionId);
    if (known) return known.groups;
    const session: Session = { groups: makeSessionGroups(ambient, limits), reportedKills: 0 };
    sessions.set(sessionId, session);
    void session.groups.then((groups) => (session.made = groups));
    return session.groups;
  };

  const forget = async (sessionId: string): Promise<void> => {
    const known = sessions.get(sessionId);
    sessions.delete(sessionId);
    await (await known?.groups)?.remove();
  };

  return {
    async outside(sessionId) {
      if (process.platform !== 'linux') return [];
      const { folders } = await groupsOf(sessionId);
      return folders.length === 0 ? [] : ['/bin/sh', '-c', ENTER, 'sh', ...folders, '--'];
    },
    async inside(memoryBytes) {
      program ??= findProgram(environment, 'prlimit');
      const found = await program;
      const data = memoryBytes === undefined ? [] : [`--data=${memoryBytes}:${memoryBytes}`];
      const processes = `--nproc=${limits.processes}:${limits.processes}`;
      return found === undefined ? [] : [found, processes, '--core=0:0', ...data, '--'];
    },
    refusals(sessionId) {
      const session = sessions.get(sessionId);
      const kills = session?.made?.memoryKills() ?? 0;
      if (!session || kills === session.reportedKills) return [];
      session.reportedKills = kills;
      const gib = (limits.memory / 2 ** 30).toFixed(1);
      return [`A process was ended by the system: the commands of this session may use ${gib} GiB of memory together.`];
    },
    forget,
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.keys()].map(forget));
    },
  };
}

/** Bytes; the container's limit, if the server runs in one. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor(total * MEMORY_SHARE);
}
