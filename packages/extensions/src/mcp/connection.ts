import { type Ambient, type Environment, OutboundError, type OutboundHttp, type SessionEvent } from '@fucina/shared';
import type { CallToolResult, Client, Tool as ServerTool, Transport } from '@modelcontextprotocol/client';
import type { Elicitations } from './elicitations.ts';
import { httpTransport } from './http-transport.ts';
import type { ServerClient } from './known-server.ts';
import { StartFailure } from './server-failure.ts';
import type { ServerLog } from './server-log.ts';
import { resourcesOf, type ServerResources } from './server-resources.ts';
import type { ServerAccess } from './sign-in/server-access.ts';
import { stdioTransport } from './stdio-transport.ts';

/** A server that runs for one session. */
export interface Connection {
  /** The current tools that its allow list includes. */
  tools(): Promise<readonly ServerTool[]>;
  call(name: string, args: Record<string, unknown>, call: RunningCall): Promise<CallToolResult>;
  /** Its resources and prompts; undefined when it declares none. */
  readonly serverResources: ServerResources | undefined;
  readonly isOpen: boolean;
  close(): Promise<void>;
}

export interface RunningCall {
  signal: AbortSignal;
  /** Progress messages for the user. */
  progress(text: string): void;
  /** Adds events to the conversation. */
  tell(events: readonly SessionEvent[]): void;
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
}

const CONNECT_MS = 15_000;
/** Time limit without a progress message and without an open question to the user. */
const CALL_IDLE_MS = 60_000;
const CALL_MOST_MS = 60 * 60_000;
const MAX_TOOLS = 256;
const MAX_PAGES = 64;
const MAX_MESSAGE = 2_000;
const MAX_LAST_LINE = 300;

export async function connect(needs: ConnectionNeeds, start: ServerStart): Promise<Connection> {
  const { Client: Connector } = await import('@modelcontextprotocol/client');
  const client = new Connector(
    { name: 'fucina', version: '1' },
    { capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  const calls = new Set<OpenCall>();
  answerElicitations(client, { needs, start, calls });
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
  await open(client, needs, start);
  const allowed = start.server.allowlist && new Set(start.server.allowlist);
  return {
    get isOpen() {
      return isOpen;
    },
    async tools() {
      const found: ServerTool[] = [];
      for (let cursor: string | undefined, pages = 0; ; pages += 1) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: CONNECT_MS });
        found.push(...page.tools.filter((tool) => (!allowed || allowed.has(tool.name)) && canRun(tool)));
        cursor = page.nextCursor;
        if (cursor === undefined || found.length >= MAX_TOOLS || pages >= MAX_PAGES) return found.slice(0, MAX_TOOLS);
      }
    },
    serverResources: resourcesOf(client),
    async call(name, args, call) {
      try {
        return await runCall(needs.ambient, { client, calls }, { name, args, call });
      } catch (error) {
        // An HTTP connection reports no end: the next failure is treated as its end.
        if (await isLost(error)) await client.close();
        throw error;
      }
    },
    close: () => client.close(),
  };
}

/** Not one that runs only as a task: we wait for each call. */
function canRun({ execution }: ServerTool): boolean {
  return execution?.taskSupport !== 'required';
}

/** A program that ends during the start fails with its exit code and its last words. */
async function open(client: Client, needs: ConnectionNeeds, start: ServerStart): Promise<void> {
  const { way, folder, log, connectMs = CONNECT_MS } = start;
  let ended: string | undefined;
  let lastLine = '';
  const transport: Transport =
    'url' in way
      ? await httpTransport({ http: needs.http, url: way.url, headers: way.headers, access: start.access })
      : stdioTransport({
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
    await client.connect(transport, { timeout: connectMs });
  } catch (error) {
    if (ended === undefined) throw error;
    throw new StartFailure('ended', [ended, lastLine].filter(Boolean).join(': '));
  }
}

async function isLost(error: unknown): Promise<boolean> {
  const { SdkHttpError } = await import('@modelcontextprotocol/client');
  return error instanceof OutboundError || error instanceof SdkHttpError;
}

interface OpenCall extends RunningCall {
  controller: AbortController;
  /** How many of its questions wait for the user. */
  questions: number;
  /** Something was received: restarts the time limit. */
  heard(): void;
}

interface CallOrder {
  name: string;
  args: Record<string, unknown>;
  call: RunningCall;
}

async function runCall(
  ambient: Ambient,
  { client, calls }: { client: Client; calls: Set<OpenCall> },
  { name, args, call }: CallOrder,
): Promise<CallToolResult> {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const open: OpenCall = {
    ...call,
    controller,
    questions: 0,
    heard() {
      cancel();
      cancel = ambient.timer(CALL_IDLE_MS, () => {
        if (open.questions > 0) open.heard();
        else controller.abort(new Error('nothing was heard of it for a minute'));
      });
    },
  };
  const stop = (): void => controller.abort(new Error('stopped'));
  if (call.signal.aborted) stop();
  call.signal.addEventListener('abort', stop, { once: true });
  calls.add(open);
  open.heard();
  try {
    return await client.callTool(
      { name, arguments: args },
      {
        signal: controller.signal,
        timeout: CALL_MOST_MS,
        onprogress({ progress, total, message }) {
          open.heard();
          const share = total ? ` ${Math.round((100 * progress) / total)}%` : '';
          call.progress(`${(message ?? 'working').slice(0, MAX_MESSAGE)}${share}\n`);
        },
      },
    );
  } catch (error) {
    // The reason of an abort is more specific than the abort error.
    if (controller.signal.aborted) throw controller.signal.reason as Error;
    throw error;
  } finally {
    cancel();
    calls.delete(open);
    call.signal.removeEventListener('abort', stop);
  }
}

interface Answering {
  needs: ConnectionNeeds;
  start: ServerStart;
  calls: ReadonlySet<OpenCall>;
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
        message: params.message.slice(0, MAX_MESSAGE),
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
