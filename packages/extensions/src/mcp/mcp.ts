import { type Ambient, type Environment, type OutboundHttp, systemCode, type Tool } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import type { RowsOrProblem } from '../hooks/hooks.ts';
import { fingerprintOf } from '../trust/fingerprint.ts';
import { findProgram } from '../trust/program.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { type Connection, connect, type ServerTransport } from './connection.ts';
import { createElicitations, type ElicitationAnswer, type WaitingElicitation } from './elicitations.ts';
import { type DeclaredServer, type RunnableServer, readServers } from './mcp-file.ts';
import { mcpTool } from './mcp-tool.ts';
import { resourceTool } from './resource-tool.ts';
import { type SessionServer, transportOf } from './session-server.ts';

export interface McpRow {
  id: string;
  /** A program, or the address of a remote server. */
  command: string;
  args: readonly string[];
  allowlist: readonly string[];
  isTrusted: boolean;
}

/**
 * Servers of the Model Context Protocol that a project declares: started for a session once they are trusted, never
 * before.
 */
export interface Mcp extends AsyncDisposable {
  list(folder: string): Promise<RowsOrProblem<McpRow>>;
  /** Trusts the current version on disk. MCP_INVALID, NOT_FOUND. */
  trust(folder: string, id: string): Promise<void>;
  /** The tools of the trusted servers; one that cannot start has none, and is retried later. */
  tools(
    session: { sessionId: string; folder: string },
    /** Whether the project may declare servers: false reads only those of the client. */
    options?: { mayDeclare?: boolean },
  ): Promise<readonly Tool[]>;
  /**
   * Sets the servers that the client (an editor) brings for this session: they replace its earlier ones and take
   * precedence over servers of the project with the same id. MCP_INVALID.
   */
  useServers(sessionId: string, servers: readonly SessionServer[]): Promise<void>;
  /** Pending questions of servers in that session, oldest first. */
  waiting(sessionId: string): WaitingElicitation[];
  /** ELICITATION_NOT_PENDING, ELICITATION_ANSWER_INVALID. */
  answer(sessionId: string, requestId: string, answer: ElicitationAnswer): Promise<void>;
  /** Stops the servers of a session. */
  forget(sessionId: string): Promise<void>;
}

export interface McpNeeds {
  ambient: Ambient;
  environment: Environment;
  http: OutboundHttp;
  trust: TrustStore;
  isEnabled(id: string): boolean;
}

const RETRY_MS = 30_000;
/** An unused server is stopped after this time; the next use starts it again. */
const IDLE_MS = 10 * 60_000;

interface Running {
  sessionId: string;
  /** Fingerprint of what was started. */
  hash: string;
  opening: Promise<Connection>;
  tools: readonly Tool[] | undefined;
  /** When it failed, by the monotonic clock. */
  failedAt: number | undefined;
  cancelIdle(): void;
}

export function createMcp(needs: McpNeeds): Mcp {
  const { ambient, environment, http, trust, isEnabled } = needs;
  const elicitations = createElicitations({ ambient });
  const running = new Map<string, Running>();
  /** By session: the servers of its client, ready to start. */
  const brought = new Map<string, readonly BroughtServer[]>();
  const subject = (folder: string, id: string) => ({ kind: 'mcp' as const, folder, id });

  const examine = async (folder: string, server: DeclaredServer): Promise<Startable | undefined> => {
    const { comando, url } = server;
    if (url !== undefined) return { way: { url }, hash: await fingerprintOf({ folder, definition: server, argv: [] }) };
    const program = await findProgram(comando ?? '', environment);
    if (program === undefined) return undefined;
    const argv: [string, ...string[]] = [program, ...server.argomenti];
    return { way: { argv }, hash: await fingerprintOf({ folder, definition: server, argv }) };
  };
  /** What may start now: compared with the trusted version at this moment. */
  const startable = async (folder: string, server: AnyServer) => {
    if ('found' in server) return server.found;
    const known = await trust.trustedHash(subject(folder, server.id));
    if (known === undefined) return undefined;
    const found = await examine(folder, server);
    return found?.hash === known ? found : undefined;
  };
  const end = async (key: string): Promise<void> => {
    const known = running.get(key);
    running.delete(key);
    known?.cancelIdle();
    const connection = await known?.opening.catch(() => undefined);
    await connection?.close();
  };
  const open = (session: Session, server: AnyServer, found: Startable): Running => {
    const key = keyOf(session, server);
    const made: Running = {
      sessionId: session.sessionId,
      hash: found.hash,
      opening: connect({ ambient, environment, http, elicitations }, { ...session, server, way: found.way }),
      tools: undefined,
      failedAt: undefined,
      cancelIdle: () => undefined,
    };
    made.opening.catch((error: unknown) => {
      made.failedAt = ambient.monotonic();
      ambient.log.warn('mcp.not-started', { server: server.id, code: systemCode(error), error });
    });
    running.set(key, made);
    return made;
  };
  const use = (key: string, used: Running): void => {
    used.cancelIdle();
    used.cancelIdle = ambient.timer(IDLE_MS, () => void end(key));
  };
  /** The running server; started if it is not running or not the trusted version. */
  const ensure = async (session: Session, server: AnyServer): Promise<Running | undefined> => {
    const key = keyOf(session, server);
    const found = await startable(session.folder, server);
    const known = running.get(key);
    if (known && known.hash !== found?.hash) await end(key);
    if (!found) return undefined;
    const present = running.get(key);
    if (present?.failedAt !== undefined && ambient.monotonic() - present.failedAt < RETRY_MS) return undefined;
    const isGone = present && (present.failedAt !== undefined || !(await present.opening).isOpen);
    if (isGone) await end(key);
    const used = running.get(key) ?? open(session, server, found);
    use(key, used);
    return used;
  };
  const toolsOf = async (session: Session, server: AnyServer): Promise<readonly Tool[]> => {
    try {
      const used = await ensure(session, server);
      if (!used) return [];
      const connection = await used.opening;
      const again = async (): Promise<Connection> => {
        const found = await ensure(session, server);
        if (!found) throw new Error('the server is not trusted as it is now, or does not start');
        return found.opening;
      };
      used.tools ??= [
        ...(await connection.tools()).map((tool) => mcpTool(server.id, tool, again)),
        ...(connection.serverResources ? [resourceTool(server.id, again)] : []),
      ];
      return used.tools;
    } catch (error) {
      ambient.log.warn('mcp.not-offered', { server: server.id, error });
      return [];
    }
  };

  return {
    async list(folder) {
      const found = await readServers(folder);
      if ('problem' in found) return found;
      const rows = found.value.map(
        async (server): Promise<McpRow> => ({
          id: server.id,
          command: server.url ?? server.comando ?? '',
          args: server.argomenti,
          allowlist: server.allowlist,
          isTrusted: (await startable(folder, server)) !== undefined,
        }),
      );
      return { rows: await Promise.all(rows) };
    },
    async trust(folder, id) {
      const found = await readServers(folder);
      if ('problem' in found) throw extensionsError('MCP_INVALID', { details: { problem: found.problem } });
      const server = found.value.find((each) => each.id === id);
      if (!server) throw extensionsError('NOT_FOUND', { reason: 'mcp-server' });
      const examined = await examine(folder, server);
      if (!examined) throw extensionsError('MCP_INVALID', { reason: 'program' });
      await trust.trust(subject(folder, id), examined.hash);
    },
    async tools(session, { mayDeclare = true } = {}) {
      const found = mayDeclare ? await readServers(session.folder) : { value: [] };
      if ('problem' in found) ambient.log.warn('mcp.not-read', { problem: found.problem });
      const own = brought.get(session.sessionId) ?? [];
      const isReplaced = (id: string): boolean => own.some((server) => server.id === id);
      const declared = 'problem' in found ? [] : found.value;
      const enabled = declared.filter(({ id }) => isEnabled(id) && !isReplaced(id));
      return (await Promise.all([...own, ...enabled].map((server) => toolsOf(session, server)))).flat();
    },
    async useServers(sessionId, servers) {
      const ready = servers.map(async (server): Promise<BroughtServer> => {
        const way = await transportOf(server, environment);
        return { id: server.id, found: { way, hash: `session:${JSON.stringify(way)}` } };
      });
      const next = await Promise.all(ready);
      const before = brought.get(sessionId) ?? [];
      if (next.length) brought.set(sessionId, next);
      else brought.delete(sessionId);
      // Unchanged servers keep running; a changed one is stopped at its next use.
      const gone = before.filter(({ id }) => !next.some((server) => server.id === id));
      await Promise.all(gone.map((server) => end(keyOf({ sessionId }, server))));
    },
    waiting: (sessionId) => elicitations.waiting(sessionId),
    answer: (sessionId, requestId, answer) => elicitations.answer(sessionId, requestId, answer),
    async forget(sessionId) {
      brought.delete(sessionId);
      const own = [...running].filter(([, each]) => each.sessionId === sessionId);
      await Promise.all(own.map(([key]) => end(key)));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.keys()].map(end));
    },
  };
}

interface Session {
  sessionId: string;
  folder: string;
}

interface Startable {
  way: ServerTransport;
  hash: string;
}

/** Brought by the client for one session. */
interface BroughtServer {
  id: string;
  found: Startable;
}

type AnyServer = DeclaredServer | BroughtServer;

function keyOf({ sessionId }: Pick<Session, 'sessionId'>, { id }: RunnableServer): string {
  return `${sessionId}/${id}`;
}
