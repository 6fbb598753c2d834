import type { Ambient } from '@fucina/shared';
import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';

/** How long the server keeps the task, in case that the connection is slow to ask for its result. */
const KEPT_MS = 60 * 60_000;
const REQUEST_MS = 60_000;
const CANCEL_MS = 5_000;
const POLL_MS = { least: 500, usual: 1_000, most: 10_000 };

/** A tool that runs only as a task (revision 2025-11-25), at a server that has such tasks. */
export function runsAsTask(client: Client, { execution }: Tool): boolean {
  const hasTasks = client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
  return execution?.taskSupport === 'required' && hasTasks && client.getProtocolEra() === 'legacy';
}

export interface TaskCall {
  name: string;
  args: Record<string, unknown>;
  signal: AbortSignal;
  /** At most an hour. */
  timeout: number;
  /** The task is alive; `message` when it says something new. */
  onStatus(message: string | undefined): void;
}

/**
 * Calls a tool as a task: its status is asked for while its result is waited for. A call that is stopped cancels its
 * task.
 */
export async function callAsTask(ambient: Ambient, client: Client, call: TaskCall): Promise<CallToolResult> {
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const { name, args, signal, timeout } = call;
  const { task } = await client.request(
    { method: 'tools/call', params: { name, arguments: args, task: { ttl: KEPT_MS } } },
    specTypeSchemas.CreateTaskResult,
    { signal, timeout: REQUEST_MS },
  );
  const { taskId, pollInterval = POLL_MS.usual } = task;
  const over = new AbortController();
  try {
    const everyMs = Math.min(Math.max(pollInterval, POLL_MS.least), POLL_MS.most);
    void watch({ ambient, client, call, taskId, everyMs, over: over.signal });
    // Answered once the task has ended; questions of the task come meanwhile.
    const params = { taskId };
    return await client.request({ method: 'tasks/result', params }, specTypeSchemas.CallToolResult, {
      signal,
      timeout,
    });
  } catch (error) {
    if (signal.aborted) await cancel(client, taskId);
    throw error;
  } finally {
    over.abort();
  }
}

interface Watching {
  ambient: Ambient;
  client: Client;
  call: TaskCall;
  taskId: string;
  everyMs: number;
  over: AbortSignal;
}

/** Never rejects: without an answer, the time limit of the call ends it. */
async function watch({ ambient, client, call, taskId, everyMs, over }: Watching): Promise<void> {
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const signal = AbortSignal.any([over, call.signal]);
  let said: string | undefined;
  while (!signal.aborted) {
    try {
      await ambient.sleep(everyMs, signal);
      const params = { taskId };
      const options = { signal, timeout: REQUEST_MS };
      const { statusMessage } = await client.request(
        { method: 'tasks/get', params },
        specTypeSchemas.GetTaskResult,
        options,
      );
      call.onStatus(statusMessage === said ? undefined : statusMessage);
      said = statusMessage;
    } catch {
      // Stopped, over, or a request that failed: the next one may succeed.
    }
  }
}

/** The user waits for nothing here: a server that does not answer keeps its task. */
async function cancel(client: Client, taskId: string): Promise<void> {
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const request = { method: 'tasks/cancel', params: { taskId } };
  await client.request(request, specTypeSchemas.CancelTaskResult, { timeout: CANCEL_MS }).catch(() => undefined);
}
