import { type Ambient, systemCode, type Tool, textStart } from '@fucina/shared';
import type { Prompt, Tool as ServerTool } from '@modelcontextprotocol/client';
import { type Connection, connect } from './connection.ts';
import type { Startable } from './examine.ts';
import type { ServerFailure } from './known-server.ts';
import { mcpTool } from './mcp-tool.ts';
import type { ConnectionNeeds } from './open-client.ts';
import type { ServerCalls } from './own/call-answers.ts';
import { resourceTool } from './resource-tool.ts';
import { failureOf } from './server-failure.ts';
import type { ServerLogs } from './server-log.ts';
import { type PromptCommand, promptArguments, promptCommand } from './server-prompts.ts';
import type { SignIns } from './sign-in/sign-ins.ts';
import { createToolList, RETRY_MS, type ToolList } from './tool-list.ts';
import { toolNames } from './tool-name.ts';

/** A server as the runner needs it. */
export interface RunnableServer {
  /** The same for all sessions. */
  key: string;
  id: string;
  /** Names of the allowed tools; absent: all of them. */
  allowlist?: readonly string[] | undefined;
  /** Tools that the user turned off. */
  offTools: ReadonlySet<string>;
  /** The user's answer about its calls. */
  calls: ServerCalls;
  /** Where its sign-in is kept; absent: it has none. */
  signsIn?: boolean | undefined;
  /** What may start now: undefined while it is not trusted. Throws StartFailure, PROVIDER_STORE_UNAVAILABLE. */
  startable(): Promise<Startable | undefined>;
}

export interface RunnerSession {
  sessionId: string;
  folder: string;
}

export interface ServerState {
  state: 'idle' | 'starting' | 'connected' | 'failed';
  failure: ServerFailure | null;
  /** All tools that the server offered last, also while it does not run; null before the first connection. */
  tools: readonly { name: string; description: string }[] | null;
}

/** Starts servers for sessions, one process or connection for each session, and ends them. */
export interface Runner {
  /**
   * The tools that a server has now. A server that starts is waited for only shortly, and one that failed last time not at
   * all: its tools are there at a later call. A server that cannot start has none, and is retried later.
   */
  tools(session: RunnerSession, server: RunnableServer): Promise<readonly Tool[]>;
  /** Starts it if it does not run. Undefined: it may not run, or failed a moment ago. Rejects when it does not start. */
  connection(session: RunnerSession, server: RunnableServer): Promise<Connection | undefined>;
  /** Starts it anew outside of any session; a failure is in its state. */
  inspect(folder: string, server: RunnableServer): Promise<void>;
  /**
   * Its prompts as slash commands: those that it listed last, also while it does not run. None before its first
   * connection: asking does not start it.
   */
  promptsOf(server: RunnableServer): readonly PromptCommand[];
  /** The text of a prompt, by its command; starts the server. Undefined: it has no such prompt. */
  readPrompt(session: RunnerSession, server: RunnableServer, asked: AskedPrompt): Promise<PromptAnswer | undefined>;
  stateOf(key: string): ServerState;
  /** Ends it in every session. */
  endServer(key: string): Promise<void>;
  endInSession(sessionId: string, key: string): Promise<void>;
  endSession(sessionId: string): Promise<void>;
  endAll(): Promise<void>;
}

export interface AskedPrompt {
  name: string;
  /** What was typed after the name. */
  argument: string;
}

/** The text for the model, or why there is none. */
export type PromptAnswer = { text: string } | { problem: string };

/** A turn waits this long for a server that starts; most programs are ready before. */
const START_WAIT_MS = 2_500;
/** An unused server is stopped after this time; the next use starts it again. */
const IDLE_MS = 10 * 60_000;
/** The user waits for it, and a package may have to be downloaded first. */
const INSPECT_MS = 60_000;
const INSPECTION = 'inspection';
const MAX_DESCRIPTION = 500;

interface Running extends RunnerSession {
  key: string;
  /** Of what was started. */
  hash: string;
  isRemote: boolean;
  /** By the monotonic clock. */
  startedAt: number;
  opening: Promise<Connection>;
  /** Ends a start that is under way. */
  stops: AbortController;
  list: ToolList;
  /** Once it is open. */
  connection: Connection | undefined;
  /** When it failed, by the monotonic clock. */
  failedAt: number | undefined;
  cancelIdle(): void;
}

interface RunnerNeeds extends ConnectionNeeds {
  ambient: Ambient;
  logs: ServerLogs;
  signIns: Pick<SignIns, 'access'>;
}

export function createRunner(needs: RunnerNeeds): Runner {
  const { ambient, logs, signIns } = needs;
  const running = new Map<string, Running>();
  const failures = new Map<string, ServerFailure>();
  const seen = new Map<string, readonly ServerTool[]>();
  const seenPrompts = new Map<string, readonly Prompt[]>();
  const noted = new WeakSet<object>();
  /** Lists of tools that may still start their server, beside a turn that no longer waits for them. */
  const starting = new Set<{ sessionId: string; key: string; isOver: boolean }>();
  const placeOf = (sessionId: string, key: string): string => `${sessionId} ${key}`;

  const end = async (place: string): Promise<void> => {
    const known = running.get(place);
    running.delete(place);
    known?.cancelIdle();
    if (!known?.connection) known?.stops.abort(new Error('no longer needed'));
    const connection = await known?.opening.catch(() => undefined);
    await connection?.close();
  };
  const endThose = async (isMeant: (each: Pick<Running, 'sessionId' | 'key'>) => boolean): Promise<void> => {
    for (const each of starting) if (isMeant(each)) each.isOver = true;
    await Promise.all([...running].filter(([, each]) => isMeant(each)).map(([place]) => end(place)));
  };
  const noteFailure = async (server: RunnableServer, error: unknown): Promise<void> => {
    if (typeof error === 'object' && error !== null) {
      if (noted.has(error)) return;
      noted.add(error);
    }
    ambient.log.warn('mcp.not-started', { server: server.id, code: systemCode(error), error });
    const failure = await failureOf(error);
    failures.set(server.key, failure);
    logs.of(server.key).add('error', [`failed: ${failure.reason}`, failure.detail].filter(Boolean).join(': '));
  };
  const notePrompts = async ({ key, opening }: Running): Promise<readonly Prompt[]> => {
    const prompts = await (await opening).prompts();
    seenPrompts.set(key, prompts);
    return prompts;
  };
  /** For the list of commands: a failure is in the log only. */
  const readPromptsAgain = (used: Running): void => {
    notePrompts(used).catch((error: Error) => logs.of(used.key).add('error', `prompts/list: ${error.message}`));
  };
  const open = (session: RunnerSession, server: RunnableServer, found: Startable & { connectMs?: number }): Running => {
    const { key } = server;
    const log = logs.of(key);
    logs.mask(key, found.secrets);
    for (const secret of found.secrets) ambient.log.redact(secret);
    log.add('event', 'starting');
    const { way, connectMs } = found;
    const access = 'url' in way && server.signsIn ? signIns.access({ key, ...way }) : undefined;
    const stops = new AbortController();
    const { signal } = stops;
    const onToolsChanged = (): void => made.list.change();
    const onPromptsChanged = (): void => readPromptsAgain(made);
    const made: Running = {
      ...session,
      key,
      hash: found.hash,
      opening: connect(needs, {
        ...session,
        server,
        way,
        log,
        access,
        connectMs,
        signal,
        onToolsChanged,
        onPromptsChanged,
      }),
      isRemote: 'url' in way,
      startedAt: ambient.monotonic(),
      stops,
      list: createToolList(ambient, async () => (await made.opening).tools()),
      connection: undefined,
      failedAt: undefined,
      cancelIdle: () => undefined,
    };
    made.opening.then(
      (connection) => {
        made.connection = connection;
        failures.delete(key);
        log.add('event', 'connected');
      },
      (error: unknown) => {
        made.failedAt = ambient.monotonic();
        if (signal.aborted && typeof error === 'object' && error !== null) noted.add(error);
        void noteFailure(server, error);
      },
    );
    running.set(placeOf(session.sessionId, key), made);
    return made;
  };
  const use = (place: string, used: Running): void => {
    used.cancelIdle();
    used.cancelIdle = ambient.timer(IDLE_MS, () => void end(place));
  };
  /** The running server; started if it is not running or not the trusted version, unless that is over by then. */
  const ensure = async (
    session: RunnerSession,
    server: RunnableServer,
    isOver = () => false,
  ): Promise<Running | undefined> => {
    const place = placeOf(session.sessionId, server.key);
    const found = await server.startable();
    const known = running.get(place);
    if (known && known.hash !== found?.hash) await end(place);
    if (!found) return undefined;
    const present = running.get(place);
    if (present?.failedAt !== undefined && ambient.monotonic() - present.failedAt < RETRY_MS) return undefined;
    const isGone = present && (present.failedAt !== undefined || !(await present.opening).isOpen);
    if (isGone) await end(place);
    if (!running.has(place) && isOver()) return undefined;
    const used = running.get(place) ?? open(session, server, found);
    use(place, used);
    return used;
  };
  const offeredBy = async (used: Running): Promise<readonly ServerTool[]> => {
    const offered = await used.list.read();
    if (used.list.problemAt() === undefined) failures.delete(used.key);
    if (!seenPrompts.has(used.key)) {
      seenPrompts.set(used.key, []);
      readPromptsAgain(used);
    }
    seen.set(used.key, offered);
    return offered;
  };

  const toolsOf = (used: Running, server: RunnableServer): readonly Tool[] => {
    const again = async (): Promise<Connection> => {
      const found = await ensure(used, server);
      if (!found) throw new Error('the server is not trusted as it is now, or does not start');
      return found.opening;
    };
    const all = used.list.last() ?? [];
    const names = toolNames(
      server.id,
      all.map(({ name }) => name),
    );
    const of = { id: server.id, isRemote: used.isRemote, calls: server.calls };
    const offered = all.filter(({ name }) => !server.offTools.has(name));
    return [
      ...offered.map((tool) => mcpTool(of, { tool, name: names.get(tool.name) ?? '' }, again)),
      ...(used.connection?.serverResources ? [resourceTool(of, again)] : []),
    ];
  };
  /** Once it runs and has listed its tools; never rejects. */
  const toolsNow = async (session: RunnerSession, server: RunnableServer): Promise<readonly Tool[]> => {
    const asked = { sessionId: session.sessionId, key: server.key, isOver: false };
    starting.add(asked);
    try {
      const used = await ensure(session, server, () => asked.isOver);
      if (!used) return [];
      await offeredBy(used);
      return toolsOf(used, server);
    } catch (error) {
      await noteFailure(server, error);
      return knownTools(session, server);
    } finally {
      starting.delete(asked);
    }
  };
  /** What it listed last, while it is asked again. */
  const knownTools = ({ sessionId }: RunnerSession, server: RunnableServer): readonly Tool[] => {
    const present = running.get(placeOf(sessionId, server.key));
    return present?.connection?.isOpen ? toolsOf(present, server) : [];
  };

  return {
    async tools(session, server) {
      const present = running.get(placeOf(session.sessionId, server.key));
      const isReady = present?.connection?.isOpen && present.list.isCurrent();
      const isFailing = failures.has(server.key);
      const reading = toolsNow(session, server);
      if (isReady) return reading;
      const sinceMs = present && !present.list.last() ? ambient.monotonic() - present.startedAt : 0;
      const waiting = waitFor(ambient, isFailing ? 0 : Math.max(0, START_WAIT_MS - sinceMs));
      const found = await Promise.race([reading, waiting.over]);
      waiting.cancel();
      return found ?? knownTools(session, server);
    },
    async connection(session, server) {
      try {
        return await (await ensure(session, server))?.opening;
      } catch (error) {
        await noteFailure(server, error);
        throw error;
      }
    },
    async inspect(folder, server) {
      failures.delete(server.key);
      seenPrompts.delete(server.key);
      await endThose(({ key }) => key === server.key);
      try {
        const found = await server.startable();
        if (!found) return;
        const session = { sessionId: INSPECTION, folder };
        const used = open(session, server, { ...found, connectMs: INSPECT_MS });
        use(placeOf(INSPECTION, server.key), used);
        const tools = await offeredBy(used);
        logs.of(server.key).add('event', `tools: ${tools.length}`);
      } catch (error) {
        await noteFailure(server, error);
      }
    },
    promptsOf: ({ key, id }) => (seenPrompts.get(key) ?? []).map((prompt) => promptCommand(id, prompt)),
    async readPrompt(session, server, { name, argument }) {
      try {
        const used = await ensure(session, server);
        if (!used) return undefined;
        const prompt = (await notePrompts(used)).find((each) => promptCommand(server.id, each).name === name);
        if (!prompt) return undefined;
        const read = promptArguments(prompt, argument);
        const { usage } = promptCommand(server.id, prompt);
        if ('missing' in read) return { problem: `${read.missing}: missing. Usage: ${usage}` };
        return { text: await (await used.opening).promptText(prompt.name, read.values) };
      } catch (error) {
        await noteFailure(server, error);
        const { reason, detail } = await failureOf(error);
        return { problem: `${server.id}: ${detail ?? reason}` };
      }
    },
    stateOf(key) {
      const own = [...running.values()].filter((each) => each.key === key && each.failedAt === undefined);
      const tools =
        seen.get(key)?.map(({ name, description, title }) => ({
          name,
          description: textStart(description ?? title ?? '', MAX_DESCRIPTION),
        })) ?? null;
      const open = own.filter(({ connection }) => connection?.isOpen);
      const isListed = ({ list }: Running): boolean => list.last() !== undefined || !list.isReading();
      const working = open.filter(({ list }) => list.problemAt() === undefined);
      if (working.some(isListed)) return { state: 'connected', failure: null, tools };
      if (working.length > 0 || own.some(({ connection }) => !connection))
        return { state: 'starting', failure: null, tools };
      const ended = own.length > 0 ? { reason: 'ended' as const, detail: null } : null;
      const problem = failures.get(key) ?? ended;
      return { state: problem ? 'failed' : 'idle', failure: problem, tools };
    },
    async endServer(key) {
      failures.delete(key);
      await endThose((each) => each.key === key);
    },
    endInSession: (sessionId, key) => endThose((each) => each.sessionId === sessionId && each.key === key),
    endSession: (sessionId) => endThose((each) => each.sessionId === sessionId),
    endAll: () => endThose(() => true),
  };
}

function waitFor({ timer }: Pick<Ambient, 'timer'>, ms: number): { over: Promise<undefined>; cancel(): void } {
  let cancel = (): void => undefined;
  const over = new Promise<undefined>((resolve) => {
    cancel = timer(ms, () => resolve(undefined));
  });
  return { over, cancel: () => cancel() };
}
