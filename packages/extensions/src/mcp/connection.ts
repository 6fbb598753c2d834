import { type Ambient, OutboundError, textStart } from '@fucina/shared';
import type { CallToolResult, Client, Prompt, Tool as ServerTool } from '@modelcontextprotocol/client';
import { completionOf, type ServerCompletion } from './completion.ts';
import { type ConnectionNeeds, type OpenCall, openClient, type RunningCall, type ServerStart } from './open-client.ts';
import { createResourceWatch, type ResourceWatch } from './resource-watch.ts';
import type { ServerLog } from './server-log.ts';
import { promptsOf, promptText } from './server-prompts.ts';
import { resourcesOf, type ServerResources } from './server-resources.ts';
import { callAsTask, runsAsTask } from './task-call.ts';

/** A server that runs for one session. */
export interface Connection {
  /** The current tools that its allow list includes. */
  tools(): Promise<readonly ServerTool[]>;
  call(name: string, args: Record<string, unknown>, call: RunningCall): Promise<CallToolResult>;
  /** Its resources and prompts; undefined when it declares none. */
  readonly serverResources: ServerResources | undefined;
  /** Its prompts, as it lists them now. */
  prompts(): Promise<readonly Prompt[]>;
  /** The text of a prompt for the model. */
  promptText(name: string, values: Record<string, string>): Promise<string>;
  readonly resourceWatch: ResourceWatch;
  readonly completion: ServerCompletion;
  readonly isOpen: boolean;
  close(): Promise<void>;
}

const CONNECT_MS = 15_000;
/** Time limit without a progress message and without an open question to the user. */
const CALL_IDLE_MS = 60_000;
const CALL_MOST_MS = 60 * 60_000;
const MAX_TOOLS = 256;
const MAX_PAGES = 64;
const MAX_MESSAGE = 2_000;

export async function connect(needs: ConnectionNeeds, start: ServerStart): Promise<Connection> {
  const { client, calls, ...state } = await openClient(needs, start);
  const allowed = start.server.allowlist && new Set(start.server.allowlist);
  /** Names of the tools that run only as tasks. */
  const tasks = new Set<string>();
  const canRun = (tool: ServerTool): boolean => {
    if (tool.execution?.taskSupport !== 'required') return true;
    if (!runsAsTask(client, tool)) return false;
    tasks.add(tool.name);
    return true;
  };
  return {
    get isOpen() {
      return state.isOpen();
    },
    async tools() {
      const found: ServerTool[] = [];
      for (let cursor: string | undefined, pages = 0; ; pages += 1) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: CONNECT_MS });
        found.push(...page.tools.filter((tool) => (!allowed || allowed.has(tool.name)) && canRun(tool)));
        cursor = page.nextCursor;
        if (cursor === undefined || found.length >= MAX_TOOLS || pages >= MAX_PAGES) break;
      }
      return offerable(found, start.log);
    },
    serverResources: resourcesOf(client),
    resourceWatch: createResourceWatch(client, (text) => start.log.add('error', text)),
    completion: completionOf(client),
    prompts: () => promptsOf(client),
    promptText: (name, values) => promptText(client, name, values),
    async call(name, args, call) {
      try {
        return await runCall(needs.ambient, { client, calls }, { name, args, call, isTask: tasks.has(name) });
      } catch (error) {
        // An HTTP connection reports no end: the next failure is treated as its end.
        if (await isLost(error)) await client.close();
        throw error;
      }
    },
    close: () => client.close(),
  };
}

/** The first of each name, up to a limit. */
function offerable(found: readonly ServerTool[], log: ServerLog): ServerTool[] {
  const byName = new Map<string, ServerTool>();
  for (const tool of found) {
    if (byName.has(tool.name)) log.add('error', `Tool ${tool.name} is listed more than once: the first counts`);
    else byName.set(tool.name, tool);
  }
  if (byName.size > MAX_TOOLS) log.add('error', `tools: ${byName.size}, of which the first ${MAX_TOOLS} are offered`);
  return [...byName.values()].slice(0, MAX_TOOLS);
}

async function isLost(error: unknown): Promise<boolean> {
  const { SdkHttpError } = await import('@modelcontextprotocol/client');
  return error instanceof OutboundError || error instanceof SdkHttpError;
}

interface CallOrder {
  name: string;
  args: Record<string, unknown>;
  call: RunningCall;
  isTask: boolean;
}

async function runCall(
  ambient: Ambient,
  { client, calls }: { client: Client; calls: Set<OpenCall> },
  { name, args, call, isTask }: CallOrder,
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
    const { signal } = controller;
    const report = (message: string): void => {
      open.heard();
      call.progress(`${textStart(message, MAX_MESSAGE)}\n`);
    };
    if (isTask) {
      const onStatus = (message: string | undefined): void => (message === undefined ? open.heard() : report(message));
      return await callAsTask(ambient, client, { name, args, signal, timeout: CALL_MOST_MS, onStatus });
    }
    return await client.callTool(
      { name, arguments: args, ...(call.traceparent && { _meta: { traceparent: call.traceparent } }) },
      {
        signal,
        timeout: CALL_MOST_MS,
        onprogress({ progress, total, message = 'working' }) {
          report(total ? `${message} ${Math.round((100 * progress) / total)}%` : message);
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
