import { isAbsolute, join, relative, sep } from 'node:path';
import {
  type ClientApp,
  type CreateTerminalRequest,
  client,
  methods,
  type ReadTextFileRequest,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type TerminalExitStatus,
  type ToolKind,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import { type ExternalPlan, type ExternalTurn, isWithin, PathError, readFileInside, textStart } from '@fucina/shared';

/** The session of the current turn; between turns the agent may change nothing. */
export interface AgentClientState {
  turn: ExternalTurn | undefined;
  signal: AbortSignal | undefined;
  onUpdate(update: SessionNotification['update']): void;
}

const MAX_FILE_BYTES = 10_485_760;
const MAX_TERMINALS = 32;
const MAX_OUTPUT_BYTES = 1_048_576;

/**
 * The agent's requests to us: files and commands go through the session, its own actions through the session's gate.
 */
export function createAgentHandlers(state: AgentClientState): ClientApp {
  const terminals = createTerminals(state);
  const { client: ours } = methods;
  return client({ name: 'fucina' })
    .onNotification(ours.session.update, ({ params }) => state.onUpdate(params.update))
    .onRequest(ours.session.requestPermission, ({ params }) => permission(state, params))
    .onRequest(ours.fs.readTextFile, ({ params }) => readFile(turnOf(state).turn, params))
    .onRequest(ours.fs.writeTextFile, ({ params }) => writeFile(state, params))
    .onRequest(ours.terminal.create, ({ params }) => terminals.create(params))
    .onRequest(ours.terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(ours.terminal.waitForExit, ({ params }) => terminals.wait(params.terminalId))
    .onRequest(ours.terminal.kill, ({ params }) => terminals.kill(params.terminalId))
    .onRequest(ours.terminal.release, ({ params }) => terminals.release(params.terminalId));
}

function turnOf({ turn, signal }: AgentClientState): { turn: ExternalTurn; signal: AbortSignal } {
  if (!turn || !signal || signal.aborted) throw RequestError.invalidRequest(undefined, 'no turn is running');
  return { turn, signal };
}

async function readFile(
  { folder }: ExternalTurn,
  { path, line, limit }: ReadTextFileRequest,
): Promise<{ content: string }> {
  try {
    const { bytes } = await readFileInside(folder, pathIn(folder, path), MAX_FILE_BYTES);
    const content = bytes.toString('utf8');
    if (!line && !limit) return { content };
    const from = Math.max(0, (line ?? 1) - 1);
    const lines = content.split('\n').slice(from, limit ? from + limit : undefined);
    return { content: lines.join('\n') };
  } catch (error) {
    if (error instanceof PathError) throw RequestError.invalidParams({ path }, error.problem);
    throw error;
  }
}

/** Relative to the folder; paths outside are rejected when opened. */
function pathIn(folder: string, path: string): string {
  if (!isAbsolute(path)) return path;
  if (!isWithin(folder, path)) throw new PathError('outside', path);
  return relative(folder, path).split(sep).join('/');
}

async function writeFile(
  state: AgentClientState,
  { path, content }: WriteTextFileRequest,
): Promise<Record<string, never>> {
  const { turn, signal } = turnOf(state);
  const percorso = isAbsolute(path) && isWithin(turn.folder, path) ? pathIn(turn.folder, path) : path;
  const result = await turn.runTool({ name: 'scrivi', arguments: { percorso, contenuto: content } }, signal);
  if (result.isError) throw RequestError.internalError({ path }, result.content);
  return {};
}

const PLANS: Record<ToolKind, Pick<ExternalPlan, 'effect' | 'gate'>> = {
  read: { effect: 'read', gate: null },
  search: { effect: 'read', gate: null },
  think: { effect: 'read', gate: null },
  fetch: { effect: 'network', gate: null },
  edit: { effect: 'write', gate: 'file_edit' },
  delete: { effect: 'write', gate: 'file_edit' },
  move: { effect: 'write', gate: 'file_edit' },
  execute: { effect: 'process', gate: 'shell' },
  // Unknown kind: treated as the strictest.
  switch_mode: { effect: 'process', gate: 'shell' },
  other: { effect: 'process', gate: 'shell' },
};

/** The agent asks before it acts by itself. Never "always allow": each action is checked anew. */
async function permission(
  state: AgentClientState,
  request: RequestPermissionRequest,
): Promise<RequestPermissionResponse> {
  const { turn, signal } = turnOf(state);
  const { toolCall, options } = request;
  const plan = PLANS[toolCall.kind ?? kindOf(toolCall.rawInput)];
  const place = toolCall.locations?.[0]?.path;
  const action = {
    tipo: plan.gate ?? 'esterno',
    agente: 'esterno',
    titolo: textStart(toolCall.title ?? '', 400),
    ...(plan.gate === 'shell' && { comando: commandOf(toolCall.rawInput, toolCall.title) }),
    ...(place !== undefined && { percorso: shownPath(turn.folder, place) }),
  };
  const isAllowed = await turn.mayDo({ ...plan, action }, signal);
  if (signal.aborted) return { outcome: { outcome: 'cancelled' } };
  const wanted = isAllowed ? ['allow_once'] : ['reject_once', 'reject_always'];
  const option = options.find(({ kind }) => wanted.includes(kind));
  // An agent that offers no matching answer gets none, which it must treat as a refusal.
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
}

/** Agents that do not send the kind still describe the action. */
function kindOf(rawInput: unknown): ToolKind {
  const has = (...names: string[]): boolean =>
    typeof rawInput === 'object' && rawInput !== null && names.some((name) => Object.hasOwn(rawInput, name));
  if (has('command')) return 'execute';
  return has('file_path', 'path', 'abs_path') && has('content', 'new_string', 'new_text', 'edits') ? 'edit' : 'other';
}

function commandOf(rawInput: unknown, title: string | null | undefined): string {
  const command =
    typeof rawInput === 'object' && rawInput !== null ? (rawInput as { command?: unknown }).command : undefined;
  const text = Array.isArray(command) ? command.map(String).join(' ') : command;
  return textStart(typeof text === 'string' ? text : (title ?? ''), 4_000);
}

function shownPath(folder: string, path: string): string {
  const absolute = isAbsolute(path) ? path : join(folder, path);
  return isWithin(folder, absolute) ? relative(folder, absolute).split(sep).join('/') : path;
}

interface Terminal {
  stop: AbortController;
  output: string;
  exit: TerminalExitStatus | undefined;
  done: Promise<void>;
  limit: number;
}

/** Commands of the agent, run by the session's own tool. Their output is available when they end. */
function createTerminals(state: AgentClientState) {
  const terminals = new Map<string, Terminal>();
  let count = 0;
  const find = (id: string): Terminal => {
    const terminal = terminals.get(id);
    if (!terminal) throw RequestError.invalidParams({ terminalId: id }, 'no such terminal');
    return terminal;
  };
  return {
    create(request: CreateTerminalRequest): { terminalId: string } {
      const { turn, signal } = turnOf(state);
      if (terminals.size >= MAX_TERMINALS) throw RequestError.internalError(undefined, 'too many terminals');
      const stop = new AbortController();
      const limit = Math.min(request.outputByteLimit ?? MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES);
      const terminal: Terminal = { stop, output: '', exit: undefined, done: Promise.resolve(), limit };
      const call = { name: 'shell', arguments: { comando: commandLine(request, turn.folder) } };
      terminal.done = turn
        .runTool(call, AbortSignal.any([signal, stop.signal]))
        .then(({ content, isError, exitCode }) => {
          terminal.output = content;
          // A refused command never ran: uses the shell's own exit code for that.
          terminal.exit = { exitCode: exitCode === undefined ? (isError ? 126 : 0) : exitCode, signal: null };
        });
      const terminalId = `terminal-${++count}`;
      terminals.set(terminalId, terminal);
      return { terminalId };
    },
    output(id: string) {
      const { output, exit, limit } = find(id);
      const isLong = Buffer.byteLength(output) > limit;
      const text = isLong
        ? Buffer.from(output)
            .subarray(-limit)
            .toString('utf8')
            .replace(/^\uFFFD+/, '')
        : output;
      return { output: text, truncated: isLong, exitStatus: exit ?? null };
    },
    async wait(id: string) {
      const terminal = find(id);
      await terminal.done;
      return { ...terminal.exit };
    },
    async kill(id: string) {
      const terminal = find(id);
      terminal.stop.abort();
      await terminal.done;
      return {};
    },
    async release(id: string) {
      const terminal = find(id);
      terminals.delete(id);
      terminal.stop.abort();
      await terminal.done;
      return {};
    },
  };
}

/** One line for the session's shell, which the user sees unchanged on the card. */
function commandLine({ command, args = [], env = [], cwd }: CreateTerminalRequest, folder: string): string {
  const words = args.length > 0 ? [command, ...args].map(quoted).join(' ') : command;
  const variables = env.map(({ name, value }) => `${name}=${quoted(value)} `).join('');
  return `${cwd && cwd !== folder ? `cd ${quoted(cwd)} && ` : ''}${variables}${words}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
