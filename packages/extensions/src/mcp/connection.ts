import { type Ambient, type Environment, OutboundError, type OutboundHttp, type SessionEvent } from '@fucina/shared';
import type { CallToolResult, Client, Tool as ServerTool, Transport } from '@modelcontextprotocol/client';
import type { Elicitations } from './elicitations.ts';
import { httpTransport } from './http-transport.ts';
import type { RunnableServer } from './mcp-file.ts';
import { resourcesOf, type ServerResources } from './server-resources.ts';
import { stdioTransport } from './stdio-transport.ts';

/** A server that runs for one session. */
export interface Connection {
  /** The tools that its list of allowed ones lets through, as it describes them now. */
  tools(): Promise<readonly ServerTool[]>;
  call(name: string, args: Record<string, unknown>, call: RunningCall): Promise<CallToolResult>;
  /** What it holds beside its tools; undefined when it says that it has nothing. */
  readonly serverResources: ServerResources | undefined;
  readonly isOpen: boolean;
  close(): Promise<void>;
}

export interface RunningCall {
  signal: AbortSignal;
  /** Words for the user while it goes on. */
  progress(text: string): void;
  /** Puts events into the conversation. */
  tell(events: readonly SessionEvent[]): void;
}

export interface ConnectionNeeds {
  ambient: Ambient;
  environment: Environment;
  http: OutboundHttp;
  elicitations: Elicitations;
}

/** How a server is reached. */
export type ServerTransport =
  | { argv: readonly [string, ...string[]]; extraEnvironment?: Environment }
  | { url: string; headers?: Readonly<Record<string, string>> };

export interface ServerStart {
  sessionId: string;
  folder: string;
  server: RunnableServer;
  way: ServerTransport;
}

const CONNECT_MS = 15_000;
/** Without a word of progress, and without a question to the user that is open. */
const CALL_IDLE_MS = 60_000;
const CALL_MOST_MS = 60 * 60_000;
const MAX_TOOLS = 256;
const MAX_PAGES = 64;
const MAX_MESSAGE = 2_000;

export async function connect(needs: ConnectionNeeds, start: ServerStart): Promise<Connection> {
  const { Client: Connector } = await import('@modelcontextprotocol/client');
  const client = new Connector(
    { name: 'fucina', version: '1' },
    { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  const calls = new Set<OpenCall>();
  answerElicitations(client, { needs, start, calls });
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
    for (const call of calls) call.controller.abort(new Error('the server has ended'));
  };
  client.onerror = (error) => needs.ambient.log.warn('mcp.trouble', { server: start.server.id, error });
  await client.connect(await transportOf(needs, start), { timeout: CONNECT_MS });
  const allowed = start.server.allowlist && new Set(start.server.allowlist);
  return {
    get isOpen() {
      return isOpen;
    },
    async tools() {
      const found: ServerTool[] = [];
      for (let cursor: string | undefined, pages = 0; ; pages += 1) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: CONNECT_MS });
        found.push(...page.tools.filter(({ name }) => !allowed || allowed.has(name)));
        cursor = page.nextCursor;
        if (cursor === undefined || found.length >= MAX_TOOLS || pages >= MAX_PAGES) return found.slice(0, MAX_TOOLS);
      }
    },
    serverResources: resourcesOf(client),
    async call(name, args, call) {
      try {
        return await runCall(needs.ambient, { client, calls }, { name, args, call });
      } catch (error) {
        // An address has no end that could be noticed: what fails on the way there is one.
        if (await isLost(error)) await client.close();
        throw error;
      }
    },
    close: () => client.close(),
  };
}

async function transportOf(needs: ConnectionNeeds, { folder, way }: ServerStart): Promise<Transport> {
  return 'url' in way
    ? httpTransport({ http: needs.http, url: way.url, headers: way.headers })
    : stdioTransport({ ...needs, folder, ...way });
}

async function isLost(error: unknown): Promise<boolean> {
  const { SdkHttpError } = await import('@modelcontextprotocol/client');
  return error instanceof OutboundError || error instanceof SdkHttpError;
}

interface OpenCall extends RunningCall {
  controller: AbortController;
  /** How many questions of it wait for the user. */
  questions: number;
  /** Something was heard: the time begins anew. */
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
    // The reason of an abort says more than that there was one.
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

/** A server asks the user only while a call of it goes on: who would it be asking for? */
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
