import { createHash } from 'node:crypto';
import type { Ambient, Environment } from '@fucina/shared';
import { languageError } from './errors.ts';
import { createFoundServers, type FoundServer, serverFor, suits } from './found-servers.ts';
import { createRunningServer, type RunningServer, type ServerState } from './server/running-server.ts';
import type { SandboxedProgram } from './server/server-process.ts';

/** A server of a project, for the user. */
export interface ServerRow {
  id: string;
  /** Extensions of the files that it reads. */
  extensions: readonly string[];
  /** Program and arguments. */
  command: readonly string[];
  isOfProject: boolean;
  state: ServerState;
  problem: string | null;
}

export interface ServersNeeds {
  ambient: Ambient;
  environment: Environment;
  /** See `FoundServersNeeds`. */
  serversFile?: string | undefined;
  /** How a program starts with the project read-only and without network; undefined where no sandbox works. */
  contain(job: {
    id: string;
    argv: readonly [string, ...string[]];
    folder: string;
    memoryBytes: number;
  }): Promise<SandboxedProgram | undefined>;
  trust: ProgramTrust;
  /** Reports changes of files below a folder until the returned function is called. */
  watch(folder: string, onChange: (changes: readonly WatchedChange[]) => void): () => void;
  /** A server answers for this project. */
  onReady?(folder: string): void;
  /** Default: ten minutes. */
  idleMs?: number;
}

/** The user's trust in programs of a project. Both apply to their content now. */
export interface ProgramTrust {
  isTrusted(program: TrustedProgram): Promise<boolean>;
  trust(program: TrustedProgram): Promise<void>;
}

export interface TrustedProgram {
  id: string;
  folder: string;
  argv: readonly [string, ...string[]];
  /** Further files whose content counts. */
  files: readonly string[];
}

export interface WatchedChange {
  /** Relative, `/`-separated. */
  path: string;
  kind: 'file' | 'folder' | 'gone';
}

export interface FileServer {
  server: RunningServer;
  languageId: string;
  id: string;
}

/** One server for each project and language, started at its first use. */
export interface Servers extends AsyncDisposable {
  /** The server for a file; undefined when there is none. Starts nothing. */
  of(folder: string, path: string): Promise<FileServer | undefined>;
  /** Those of the project or its languages, and those in use. */
  rows(folder: string): Promise<readonly ServerRow[]>;
  /** Why the user's own servers cannot be read; null if they can. */
  problem(): Promise<string | null>;
  /** NOT_FOUND. Trusts the program as it is now, if it is of the project, and starts it. */
  trust(folder: string, id: string): Promise<ServerRow>;
  /** NOT_FOUND. */
  restart(folder: string, id: string): Promise<ServerRow>;
  /** Ends the servers of a folder. */
  stop(folder: string): Promise<void>;
}

const IDLE_MS = 10 * 60_000;
const MEMORY_BYTES = 4 * 1024 ** 3;
/** Heap of servers that run in Node, in MiB. */
const NODE_HEAP = 3072;
/** Of the protocol. */
const KINDS = { created: 1, changed: 2, deleted: 3 };

interface Project {
  servers: Map<string, { found: FoundServer; server: RunningServer }>;
  stopWatching?: (() => void) | undefined;
}

export function createServers(needs: ServersNeeds): Servers {
  const { ambient, environment } = needs;
  const found = createFoundServers(needs);
  const projects = new Map<string, Project>();

  const projectOf = (folder: string): Project => {
    const project = projects.get(folder) ?? { servers: new Map() };
    projects.set(folder, project);
    return project;
  };
  const serverOf = (folder: string, one: FoundServer): RunningServer => {
    const project = projectOf(folder);
    const before = project.servers.get(one.kind.id);
    if (before && before.found.argv[0] === one.argv[0]) return before.server;
    void before?.server.stop();
    const server = createRunningServer({
      ambient,
      environment,
      variables: { NODE_OPTIONS: `--max-old-space-size=${NODE_HEAP}`, ...one.kind.environment },
      folder,
      found: one,
      contain: ({ argv }) => needs.contain({ id: idOf(folder, one), argv, folder, memoryBytes: MEMORY_BYTES }),
      isTrusted: (asked) => needs.trust.isTrusted(trusted(folder, asked)),
      idleMs: needs.idleMs ?? IDLE_MS,
      onReady: () => {
        project.stopWatching ??= needs.watch(folder, (changes) => void tellChanges(project, changes));
        needs.onReady?.(folder);
      },
      onEnded: () => {
        if ([...project.servers.values()].some((other) => other.server.state === 'ready')) return;
        project.stopWatching?.();
        project.stopWatching = undefined;
      },
    });
    project.servers.set(one.kind.id, { found: one, server });
    return server;
  };
  const rowOf = (folder: string, one: FoundServer): ServerRow => {
    const { state, problem } = serverOf(folder, one);
    const { id, languages } = one.kind;
    return { id, extensions: Object.keys(languages), command: one.argv, isOfProject: one.isOfProject, state, problem };
  };
  const named = async (folder: string, id: string): Promise<FoundServer> => {
    const one = (await found.of(folder)).find(({ kind }) => kind.id === id);
    if (!one) throw languageError('NOT_FOUND');
    return one;
  };
  const stop = async (folder: string): Promise<void> => {
    const project = projects.get(folder);
    projects.delete(folder);
    project?.stopWatching?.();
    await Promise.all([...(project?.servers.values() ?? [])].map(({ server }) => server.stop()));
  };
  const restarted = async (folder: string, one: FoundServer): Promise<ServerRow> => {
    const server = serverOf(folder, one);
    await server.stop();
    await server.ready();
    return rowOf(folder, one);
  };

  return {
    async of(folder, path) {
      const fit = serverFor(await found.of(folder), path);
      if (!fit) return undefined;
      return { server: serverOf(folder, fit.server), languageId: fit.languageId, id: fit.server.kind.id };
    },
    problem: found.problem,
    async rows(folder) {
      const all = await found.of(folder);
      const shown = await Promise.all(
        all.map(async (one) => rowOf(folder, one).state !== 'stopped' || (await suits(one, folder))),
      );
      return Promise.all(
        all
          .filter((_one, at) => shown[at])
          .map(async (one) => {
            const row = rowOf(folder, one);
            const isIdle = row.state === 'stopped' || row.state === 'untrusted';
            if (!one.isOfProject || !isIdle) return row;
            const isTrusted = await needs.trust.isTrusted(trusted(folder, one));
            return { ...row, state: isTrusted ? ('stopped' as const) : ('untrusted' as const) };
          }),
      );
    },
    async trust(folder, id) {
      const one = await named(folder, id);
      if (one.isOfProject) await needs.trust.trust(trusted(folder, one));
      return restarted(folder, one);
    },
    restart: async (folder, id) => restarted(folder, await named(folder, id)),
    stop,
    async [Symbol.asyncDispose]() {
      await Promise.all([...projects.keys()].map(stop));
    },
  };
}

const trusted = (folder: string, { kind, argv, files }: FoundServer): TrustedProgram => ({
  id: kind.id,
  folder,
  argv,
  files,
});

const idOf = (folder: string, { kind }: FoundServer): string =>
  `${kind.id}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;

/** The watcher does not say whether a file is new: servers are told both. */
async function tellChanges({ servers }: Project, changes: readonly WatchedChange[]): Promise<void> {
  for (const { server } of servers.values()) {
    if (server.state !== 'ready') continue;
    const ready = await server.ready();
    const sent = changes
      .filter(({ kind }) => kind !== 'folder')
      .flatMap(({ path, kind }) => {
        const uri = ready?.documents.uriOf(path) ?? '';
        const types = kind === 'gone' ? [KINDS.deleted] : [KINDS.created, KINDS.changed];
        return types.map((type) => ({ uri, type }));
      });
    // A server that ended meanwhile reads the files when it starts.
    await ready?.connection
      .sendNotification('workspace/didChangeWatchedFiles', { changes: sent })
      .catch(() => undefined);
  }
}
