import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Ambient,
  type Environment,
  type OutboundHttp,
  type SessionEvent,
  type SideModel,
  textStart,
} from '@fucina/shared';
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { Elicitations } from './elicitations.ts';
import { httpTransport, isOlderServer, sseTransport } from './http-transport.ts';
import type { ServerClient } from './known-server.ts';
import { isThisComputer } from './mcp-file.ts';
import { answerSampling } from './sampling.ts';
import { StartFailure } from './server-failure.ts';
import type { ServerLog } from './server-log.ts';
import type { ServerAccess } from './sign-in/server-access.ts';
import { stdioTransport } from './stdio-transport.ts';
import { tidyMessage } from './tidy-message.ts';

export interface RunningCall {
  signal: AbortSignal;
  /** Progress messages for the user. */
  progress(text: string): void;
  /** Adds events to the conversation. */
  tell(events: readonly SessionEvent[]): void;
  /** The model of the session; absent where no user could allow a question to it. */
  sideModel?: SideModel | undefined;
  /** The trace context of the call. */
  traceparent?: string | undefined;
}

export interface ConnectionNeeds {
  ambient: Ambient;
  environment: Environment;
  http: OutboundHttp;
  elicitations: Elicitations;
}

/** How to reach a server. */
export type ServerTransport =
  | {
      argv: readonly [string, ...string[]];
      extraEnvironment?: Environment | undefined;
      /** Absolute. Default: the folder of the session. */
      cwd?: string | undefined;
    }
  | { url: string; headers?: Readonly<Record<string, string>>; client?: ServerClient | undefined };

export interface ServerStart {
  sessionId: string;
  folder: string;
  server: { id: string; allowlist?: readonly string[] | undefined };
  way: ServerTransport;
  log: ServerLog;
  /** Tokens of a sign-in, for a server at an address. */
  access?: ServerAccess | undefined;
  /** Default: 15 s. */
  connectMs?: number | undefined;
  /** Ends a start that is under way. */
  signal?: AbortSignal | undefined;
  /** Its list of tools is another one now. */
  onToolsChanged?(): void;
  /** Its list of prompts is another one now. */
  onPromptsChanged?(): void;
}

/** A client that is connected. */
export interface OpenClient {
  client: Client;
  /** The calls that run. */
  calls: Set<OpenCall>;
  isOpen(): boolean;
}

export interface OpenCall extends RunningCall {
  controller: AbortController;
  /** How many of its questions wait for the user. */
  questions: number;
  /** Something was received: restarts the time limit. */
  heard(): void;
}

const CONNECT_MS = 15_000;
const MAX_MESSAGE = 2_000;
const MAX_LAST_LINE = 300;

/**
 * A server at an address is tried with streamable HTTP, then with the older HTTP+SSE when it refuses that as such servers
 * do. A program that ends during the start fails with its exit code and its last words.
 */
export async function openClient(needs: ConnectionNeeds, start: ServerStart): Promise<OpenClient> {
  const { way, access, log } = start;
  if (!('url' in way)) return openProgram(needs, start);
  const note = (text: string): void => log.add('error', text);
  const server = { http: needs.http, url: way.url, headers: way.headers, access, note };
  try {
    return await connected(needs, start, { transport: await httpTransport(server), isOlder: false });
  } catch (error) {
    if (!(await isOlderServer(error))) throw error;
    log.add('event', 'no streamable HTTP: trying the older HTTP+SSE');
    try {
      return await connected(needs, start, { transport: await sseTransport(server), isOlder: true });
    } catch (olderError) {
      const { SseError } = await import('@modelcontextprotocol/client');
      // Neither transport: the first answer says more about the address.
      throw olderError instanceof SseError ? error : olderError;
    }
  }
}

async function openProgram(needs: ConnectionNeeds, start: ServerStart): Promise<OpenClient> {
  const { way, folder, log } = start;
  if ('url' in way) throw new Error('not a program');
  let ended: string | undefined;
  let lastLine = '';
  const transport = stdioTransport({
    ...needs,
    argv: way.argv,
    folder: way.cwd ?? folder,
    ...(way.extraEnvironment && { extraEnvironment: way.extraEnvironment }),
    onOutput(text) {
      lastLine = text.trimEnd().split('\n').at(-1)?.slice(0, MAX_LAST_LINE) || lastLine;
      log.add('output', text);
    },
    onExit({ exitCode, signal }) {
      ended = exitCode === null ? `signal ${signal}` : `exit code ${exitCode}`;
      log.add('event', `ended: ${ended}`);
    },
  });
  try {
    return await connected(needs, start, { transport, isOlder: false });
  } catch (error) {
    if (ended === undefined) throw error;
    throw new StartFailure('ended', [ended, lastLine].filter(Boolean).join(': '));
  }
}

/** `isOlder`: of a transport that only revisions before the negotiation use. */
async function connected(
  needs: ConnectionNeeds,
  start: ServerStart,
  { transport, isOlder }: { transport: Transport; isOlder: boolean },
): Promise<OpenClient> {
  const { Client: Connector, specTypeSchemas } = await import('@modelcontextprotocol/client');
  // The client calls it before it reads the message itself.
  transport.onmessage = (message) => tidyMessage(message, specTypeSchemas, (text) => start.log.add('error', text));
  const client = new Connector(
    { name: 'fucina', version: '1' },
    {
      capabilities: {
        elicitation: { form: { applyDefaults: true }, url: {} },
        sampling: {},
        ...(isHere(start.way) && { roots: {} }),
      },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => toolsChanged(start) },
        prompts: { autoRefresh: false, onChanged: () => start.onPromptsChanged?.() },
      },
      ...(!isOlder && { versionNegotiation: { mode: 'auto' } }),
    },
  );
  const calls = new Set<OpenCall>();
  answerElicitations(client, { needs, start, calls });
  answerSamplings(client, { needs, start, calls });
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
    for (const call of calls) call.controller.abort(new Error('the server has ended'));
  };
  client.onerror = (error) => {
    needs.ambient.log.warn('mcp.trouble', { server: start.server.id, error });
    start.log.add('error', error.message);
  };
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
    start.log.add('message', `${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`);
  });
  if (isHere(start.way)) client.setRequestHandler('roots/list', () => ({ roots: rootsOf(start) }));
  start.signal?.throwIfAborted();
  start.signal?.addEventListener('abort', () => void transport.close(), { once: true });
  await client.connect(transport, { timeout: start.connectMs ?? CONNECT_MS });
  await askForLogs(client, start.log);
  return { client, calls, isOpen: () => isOpen };
}

function toolsChanged({ log, onToolsChanged }: ServerStart): void {
  log.add('event', 'the list of tools has changed');
  onToolsChanged?.();
}

/** A server elsewhere cannot use a folder of this computer, and need not know it. */
export function isHere(way: ServerTransport): boolean {
  return !('url' in way) || isThisComputer(new URL(way.url).hostname);
}

function rootsOf({ folder }: ServerStart): { uri: string; name: string }[] {
  return [{ uri: pathToFileURL(folder).href, name: basename(folder) }];
}

/** Servers of earlier revisions may send none before they are told a level. */
async function askForLogs(client: Client, log: ServerLog): Promise<void> {
  if (!client.getServerCapabilities()?.logging || client.getProtocolEra() !== 'legacy') return;
  try {
    await client.setLoggingLevel('info', { timeout: CONNECT_MS });
  } catch (error) {
    log.add('error', `logging/setLevel: ${(error as Error).message}`);
  }
}

interface Answering {
  needs: ConnectionNeeds;
  start: ServerStart;
  calls: ReadonlySet<OpenCall>;
}

/** A server may ask the model only during a call: its budget and its user are those of the session. */
function answerSamplings(client: Client, { needs, start, calls }: Answering): void {
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    const call = [...calls].at(-1);
    if (call) call.questions += 1;
    try {
      const { sessionId, server } = start;
      const during = call && { ...call, signal: call.controller.signal };
      return await answerSampling(params, { ...needs, sessionId, serverId: server.id, call: during });
    } finally {
      if (call) {
        call.questions -= 1;
        call.heard();
      }
    }
  });
}

/** A server may ask the user only during a call. */
function answerElicitations(client: Client, { needs, start, calls }: Answering): void {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const call = [...calls].at(-1);
    if (!call) return { action: 'decline' as const };
    const isPage = 'mode' in params && params.mode === 'url';
    if (isPage && !/^https?:\/\//.test(params.url)) return { action: 'decline' as const };
    call.questions += 1;
    try {
      const asked = {
        sessionId: start.sessionId,
        serverId: start.server.id,
        message: textStart(params.message, MAX_MESSAGE),
        ...(isPage
          ? { url: params.url }
          : { form: (params as { requestedSchema: Record<string, unknown> }).requestedSchema }),
      };
      const answer = await needs.elicitations.ask(asked, { tell: call.tell, signal: call.controller.signal });
      return { action: answer.action, ...(answer.content && { content: answer.content as Record<string, string> }) };
    } finally {
      call.questions -= 1;
      call.heard();
    }
  });
}
