import { type Ambient, AppError, isAppError, type Tool, type ToolContext } from '@fucina/shared';
import { sentencesFor } from '@fucina/shared/sentences';
import type { CallToolResult, McpServer, McpServerFactory, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Services } from '../services.ts';
import { sessionChanges, sessionFacts, stateOf, waitForSession } from './session-reading.ts';

export interface McpServerNeeds {
  services: Services;
  ambient: Ambient;
  version: string;
  /** The folder of a call that names none; without it each call names one. */
  folder?: string | undefined;
}

const INSTRUCTIONS =
  'Fucina runs coding agents in folders of this computer. Start a session with start_session, wait for it with ' +
  'wait_for_session, then read its answer and read_changes. A session that waits for the user (an approval, a ' +
  'question) continues when the user answers in Fucina.';

const WAIT_SECONDS = 50;
const MAX_WAIT_SECONDS = 600;
const BEAT_MS = 10_000;
const MAX_ROWS = 20;

/** Fucina for other agents: the tools of its MCP server, the same on standard streams and over HTTP. */
export async function mcpServerFactory(needs: McpServerNeeds): Promise<McpServerFactory> {
  const sdk = await import('@modelcontextprotocol/server');
  return () => {
    const server = new sdk.McpServer({ name: 'fucina', version: needs.version }, { instructions: INSTRUCTIONS });
    addSessionTools(server, needs);
    addReadingTools(server, needs);
    addHistoryTools(server, needs);
    addLibraryTools(server, needs);
    addResearchStart(server, needs);
    return server;
  };
}

const sessionId = z.string().min(1).max(200).describe('The id of a session');
const folder = z.string().min(1).max(4_096);
const facts = z.object({
  sessionId: z.string(),
  name: z.string().nullable(),
  folder: z.string(),
  state: z.enum(['running', 'finished', 'interrupted', 'waiting']),
  waitsFor: z.string().nullable().describe('What the user has to do, in Fucina'),
  answer: z.string().describe('The last message of the agent'),
});
/** Not Full access: that is the user's to give, in Fucina. */
const levels = z.enum(['Read only', 'Workspace write', 'On request']);

function addSessionTools(server: McpServer, { services, folder: own }: McpServerNeeds): void {
  const { sessions } = services;
  server.registerTool(
    'start_session',
    {
      title: 'Start a session',
      description: 'Start a coding agent in a folder with a task. Returns at once: use wait_for_session.',
      inputSchema: z.strictObject({
        message: z.string().min(1).max(100_000).describe('The task'),
        folder: folder.optional().describe(`Absolute path of the project${own ? '; default: the current folder' : ''}`),
        model: z.string().max(200).optional().describe('provider:model; default: the user’s'),
        permissions: levels.optional().describe('Default: Workspace write'),
      }),
      outputSchema: z.object({ sessionId: z.string() }),
    },
    answering(async ({ folder: given = own, ...request }) => {
      if (given === undefined) throw new AppError('QUERY_INVALID', { reason: 'folder' });
      return structured(await services.startSession({ ...request, folder: given }));
    }),
  );
  server.registerTool(
    'send_message',
    {
      title: 'Send a message',
      description:
        'Send a message to a session: it starts the next turn, or is queued while one runs. Not to one with Full access.',
      inputSchema: z.strictObject({ sessionId, message: z.string().min(1).max(100_000) }),
      outputSchema: z.object({ sessionId: z.string(), isQueued: z.boolean() }),
    },
    answering(async ({ sessionId: id, message }) => {
      const row = await sessions.read(id);
      if (row.settings.permissions === 'Full access')
        throw new AppError('PERMISSIONS_INVALID', { reason: 'full-access' });
      const isQueued = ['running', 'waiting'].includes(stateOf(row));
      await (isQueued ? sessions.turns.queue(id, { message }) : sessions.turns.resume(id, { message }));
      return structured({ sessionId: id, isQueued });
    }),
  );
}

function addReadingTools(server: McpServer, { services, ambient }: McpServerNeeds): void {
  const { sessions } = services;
  const factsOf = async (id: string): Promise<CallToolResult> => structured({ ...(await sessionFacts(sessions, id)) });
  server.registerTool(
    'wait_for_session',
    {
      title: 'Wait for a session',
      description: 'Wait until a session no longer runs, and return its state and its last answer.',
      inputSchema: z.strictObject({
        sessionId,
        timeoutSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional().describe(`Default: ${WAIT_SECONDS}`),
      }),
      outputSchema: facts,
      annotations: { readOnlyHint: true },
    },
    answering(async ({ sessionId: id, timeoutSeconds = WAIT_SECONDS }, context) => {
      await sessions.read(id);
      const over = new AbortController();
      const stopTimer = ambient.timer(timeoutSeconds * 1_000, () => over.abort());
      const stopBeats = beat(context, ambient);
      try {
        await waitForSession({ sessions, ambient }, id, AbortSignal.any([over.signal, context.mcpReq.signal]));
      } finally {
        stopTimer();
        stopBeats();
      }
      return factsOf(id);
    }),
  );
  server.registerTool(
    'read_session',
    {
      title: 'Read a session',
      description: 'The state of a session and its last answer, without waiting.',
      inputSchema: z.strictObject({ sessionId }),
      outputSchema: facts,
      annotations: { readOnlyHint: true },
    },
    answering(({ sessionId: id }) => factsOf(id)),
  );
  server.registerTool(
    'read_changes',
    {
      title: 'Read changes',
      description: 'What the tools of a session changed in files, as a unified diff.',
      inputSchema: z.strictObject({ sessionId }),
      annotations: { readOnlyHint: true },
    },
    answering(async ({ sessionId: id }) => text(await sessionChanges(sessions, id))),
  );
}

function addHistoryTools(server: McpServer, { services }: McpServerNeeds): void {
  const row = z.object({ sessionId: z.string(), name: z.string().nullable(), folder: z.string(), state: z.string() });
  server.registerTool(
    'search_sessions',
    {
      title: 'Search sessions',
      description: 'Search all conversations, best match first; without a text the newest sessions.',
      inputSchema: z.strictObject({ text: z.string().trim().min(1).max(200).optional() }),
      outputSchema: z.object({ sessions: z.array(row.extend({ hits: z.array(z.string()) })) }),
      annotations: { readOnlyHint: true },
    },
    answering(async ({ text: wanted }) => {
      const found = await services.sessions.search(wanted);
      const rows = found.slice(0, MAX_ROWS).map(({ hits = [], ...each }) => ({
        sessionId: each.header.sessionId,
        name: each.name,
        folder: each.header.folder,
        state: stateOf(each),
        hits: hits.slice(0, 3).map(({ snippet }) => snippet.map((part) => part.text).join('')),
      }));
      return structured({ sessions: rows });
    }),
  );
}

const LIBRARY_TOOLS = ['library_search', 'library_read', 'research_list', 'research_read'];

/** The agent's own read-only tools, for a folder instead of a session. */
function addLibraryTools(server: McpServer, { services, folder: own }: McpServerNeeds): void {
  const place = z.strictObject({
    folder: folder.optional().describe(`Absolute path of the project${own ? '; default: the current folder' : ''}`),
  });
  const tools = services.library.tools.filter(({ name }) => LIBRARY_TOOLS.includes(name));
  for (const { name, description, input, run } of tools) {
    server.registerTool(
      name,
      {
        description,
        inputSchema: (input as z.ZodObject).extend(place.shape),
        annotations: { readOnlyHint: true },
      },
      answering(async ({ folder: given = own, ...asked }, { mcpReq: { signal } }) => {
        if (typeof given !== 'string') throw new AppError('QUERY_INVALID', { reason: 'folder' });
        const chosen = await services.files.workspace.chooseFolder({ path: given });
        return resultOf(run, asked, { folder: chosen.folder, signal });
      }),
    );
  }
}

/** Research belongs to a session, whose model and folder it uses. */
function addResearchStart(server: McpServer, { services }: McpServerNeeds): void {
  const tool = services.library.tools.find(({ name }) => name === 'research_start');
  if (!tool) throw new Error('The library has no tool that starts research.');
  const { name, description, input, run } = tool;
  server.registerTool(
    name,
    { title: 'Start research', description, inputSchema: (input as z.ZodObject).extend({ sessionId }) },
    answering(async ({ sessionId: id, ...asked }, { mcpReq: { signal } }) => {
      const { header } = await services.sessions.read(String(id));
      return resultOf(run, asked, { folder: header.folder, sessionId: String(id), signal });
    }),
  );
}

async function resultOf(
  run: Tool['run'],
  input: object,
  place: Pick<ToolContext, 'folder' | 'signal'> & Partial<Pick<ToolContext, 'sessionId'>>,
): Promise<CallToolResult> {
  // These tools use nothing else of their context.
  const { content, isError } = await run(input, place as ToolContext);
  return { ...text(String(content)), ...(isError && { isError }) };
}

/** An error that a client can meet is the result of its call. */
function answering<Input>(handle: (input: Input, context: ServerContext) => Promise<CallToolResult>) {
  return async (input: Input, context: ServerContext): Promise<CallToolResult> => {
    try {
      return await handle(input, context);
    } catch (error) {
      if (!isAppError(error)) throw error;
      const { explanation, action } = sentencesFor(error.code, 'en', error.reason);
      return { ...text(`${error.code}: ${[explanation, action].filter(Boolean).join(' ')}`), isError: true };
    }
  };
}

/** Tells a waiting client that we are still here. The returned function ends it. */
function beat({ mcpReq }: ServerContext, ambient: Ambient): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = ambient.timer(BEAT_MS, () => {
      progress += BEAT_MS / 1_000;
      const params = { progressToken: progressToken ?? 0, progress, message: 'The session is running' };
      void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
      next();
    });
  };
  if (progressToken !== undefined) next();
  return () => cancel();
}

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] });

function structured(content: Record<string, unknown>): CallToolResult {
  return { ...text(JSON.stringify(content)), structuredContent: content };
}
