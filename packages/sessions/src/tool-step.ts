import type {
  Ambient,
  FileChange,
  ImageReference,
  ModelToolCall,
  SessionEvent,
  StatePatch,
  Tool,
  ToolAction,
  ToolContext,
  ToolPlace,
  ToolResult,
  WriteReach,
} from '@fucina/shared';
import type { ApprovalDesk } from './approvals.ts';
import { decide, type GateDecision } from './gate.ts';
import type { ChatImages } from './images.ts';
import type { SessionSettings } from './session.ts';

/** Runs the calls of one model answer: reads side by side, everything else in order, each through the gate. */
export interface ToolStepNeeds {
  ambient: Ambient;
  images: Pick<ChatImages, 'keep'>;
  tools: ReadonlyMap<string, Tool>;
  isControlFile(path: string): boolean | Promise<boolean>;
  desk: ApprovalDesk;
  place: ToolPlace & { sessionId: string; isProjectFolder: boolean };
  /** Read again at every call: a person may change them in the middle of a turn. */
  settings(): SessionSettings;
  seen: Map<string, string>;
  /** Commits and broadcasts. */
  append(events: readonly SessionEvent[]): void;
  /** Streams live output. */
  emit(events: readonly SessionEvent[]): void;
  /** Lets a person stop one command; undone when it ends. */
  onProcess(toolCallId: string, stop: () => void): () => void;
  signal: AbortSignal;
}

interface PreparedCall {
  call: ModelToolCall;
  tool: Tool;
  input: unknown;
  action: ToolAction;
}

/** Calls of one answer that are run; the model is told about the rest. */
const MAX_RUN = 128;
/** Longest file text kept in an event; a larger one is announced without its text. */
const MAX_CHANGE_TEXT = 384 * 1024;
const MAX_STREAM_TEXT = 128 * 1024;
/** Each read may hold a whole file or a search of its own. */
const MAX_SIDE_BY_SIDE = 8;
/** Names and keys the model made up come back to it, as much of them as helps. */
const MAX_REFUSAL_TEXT = 2_000;

export async function runToolCalls(calls: readonly ModelToolCall[], needs: ToolStepNeeds): Promise<void> {
  const prepared = calls.map((call, index) => ({
    call,
    ready: index < MAX_RUN ? prepare(call, needs) : refusal(`Only the first ${MAX_RUN} calls of an answer are run.`),
  }));
  for (let index = 0; index < prepared.length; ) {
    const group = prepared.slice(index, index + groupSize(prepared.slice(index).map(({ ready }) => ready)));
    await Promise.all(group.map(({ call, ready }) => runOne(call, ready, needs)));
    index += group.length;
    if (needs.signal.aborted) return;
  }
}

/** How many of the next calls may run side by side: a run of reads, or one of anything else. */
function groupSize(ready: readonly (PreparedCall | ToolResult)[]): number {
  const stop = ready.findIndex((item) => 'tool' in item && item.tool.effect !== 'read');
  if (stop === 0) return 1;
  return Math.min(stop === -1 ? ready.length : stop, MAX_SIDE_BY_SIDE);
}

async function runOne(call: ModelToolCall, ready: PreparedCall | ToolResult, needs: ToolStepNeeds): Promise<void> {
  const { durationMs = 0, ...result } = 'tool' in ready ? await passGate(ready, needs) : { ...ready };
  const images = await needs.images.keep(result.images ?? []);
  needs.append(resultEvents(call.id, result, { durationMs, messageId: needs.ambient.newId(), images }));
}

/** `durationMs` counts the work, never the wait for a person. */
type TimedResult = ToolResult & { durationMs?: number };

function prepare(call: ModelToolCall, { tools, place }: ToolStepNeeds): PreparedCall | ToolResult {
  const tool = tools.get(call.name);
  if (!tool) return refusal(`There is no tool named ${call.name}. Available: ${[...tools.keys()].join(', ')}.`);
  let json: unknown;
  try {
    json = JSON.parse(call.arguments.trim() || '{}');
  } catch (error) {
    return refusal(
      `The arguments of ${call.name} are not valid JSON: ${(error as SyntaxError).message}. Send the call again.`,
    );
  }
  const parsed = tool.input.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
    return refusal(`The arguments of ${call.name} do not fit: ${problems.join('; ')}. Send the call again.`);
  }
  return { call, tool, input: parsed.data, action: tool.action(parsed.data, place) };
}

async function passGate(prepared: PreparedCall, needs: ToolStepNeeds): Promise<TimedResult> {
  const decision = await judge(prepared, needs);
  if (decision.verdict === 'deny') return refusal(DENIALS[decision.because]);
  if (decision.verdict === 'ask') {
    if (!(await askPerson(prepared.action, decision.because, needs))) return refusal(NOT_ALLOWED);
    // A person may have allowed less in the settings while the card was open: that counts.
    const now = await judge(prepared, needs);
    if (now.verdict === 'deny') return refusal(DENIALS[now.because]);
  }
  return needs.signal.aborted ? refusal('Stopped by the person before it ran.') : runTool(prepared, needs);
}

const NOT_ALLOWED =
  'The person did not allow this. Do not try the same again; ask what they would prefer, or go on without it.';

const DENIALS: Record<Extract<GateDecision, { verdict: 'deny' }>['because'], string> = {
  tool: 'The person has turned this tool off for this session.',
  level: 'This session is read only: files cannot be changed and commands cannot be run.',
  'plan-mode': 'This session is planning: nothing may change until the person approves a plan.',
};

async function judge({ tool, action }: PreparedCall, needs: ToolStepNeeds): Promise<GateDecision> {
  const { percorso } = action;
  const isControlFile = tool.effect === 'write' && percorso !== undefined && (await needs.isControlFile(percorso));
  const { permissions: level, mode, toolPermissions } = needs.settings();
  return decide({ tool, action, level, mode, toolPermissions, isControlFile, grants: needs.desk.grants });
}

async function askPerson(action: ToolAction, because: string, needs: ToolStepNeeds): Promise<boolean> {
  const requestId = needs.ambient.newId();
  const motivo = because === 'control-file' ? { motivo: 'file-di-controllo' } : {};
  const answer = needs.desk.ask(requestId, action, needs.signal);
  needs.append([{ type: 'ApprovalRequested', requestId, azione: { ...action, ...motivo } }]);
  const isApproved = await answer;
  needs.append([{ type: 'ApprovalResolved', requestId, approvato: isApproved }]);
  return isApproved;
}

async function runTool({ call, tool, input }: PreparedCall, needs: ToolStepNeeds): Promise<TimedResult> {
  const { folder, testCommand, sessionId, isProjectFolder } = needs.place;
  const own = new AbortController();
  const forget = tool.effect === 'process' ? needs.onProcess(call.id, () => own.abort('stopped')) : undefined;
  const context: ToolContext = {
    folder,
    testCommand,
    sessionId,
    toolCallId: call.id,
    signal: AbortSignal.any([needs.signal, own.signal]),
    isWholeDisk: isProjectFolder && needs.settings().permissions === 'Full access',
    writes: WRITES[needs.settings().permissions],
    background: null,
    progress: (delta) => needs.emit([{ type: 'ToolCallOutput', toolCallId: call.id, delta }]),
    seen: needs.seen,
  };
  const startedAt = needs.ambient.monotonic();
  try {
    const result = await tool.run(input, context);
    const durationMs = Math.round(result.command?.durationMs ?? needs.ambient.monotonic() - startedAt);
    return { ...result, durationMs };
  } catch (error) {
    needs.ambient.log.error('tool.failed', { sessionId, tool: tool.name, error });
    return refusal(`${tool.name} failed: ${error instanceof Error ? error.message : 'unknown error'}.`);
  } finally {
    forget?.();
  }
}

const WRITES: Record<SessionSettings['permissions'], WriteReach> = {
  'Read only': 'nothing',
  'On request': 'folder',
  'Workspace write': 'folder',
  'Full access': 'anything',
};

function refusal(content: string): ToolResult {
  const isLong = content.length > MAX_REFUSAL_TEXT;
  return { content: isLong ? `${content.slice(0, MAX_REFUSAL_TEXT)} […]` : content, isError: true };
}

function resultEvents(
  toolCallId: string,
  result: ToolResult,
  facts: { durationMs: number; messageId: string; images: readonly ImageReference[] },
): SessionEvent[] {
  const { command, changes = [] } = result;
  const { durationMs, messageId, images } = facts;
  const outcome = command && {
    comando: command.command,
    cwd: command.cwd,
    ...(command.stdout && { stdout: clip(command.stdout) }),
    ...(command.stderr && { stderr: clip(command.stderr) }),
    ...(command.exitCode !== null && { exitCode: command.exitCode }),
  };
  const events: SessionEvent[] = changes.length ? [{ type: 'StateDelta', delta: changes.map(patchOf) }] : [];
  events.push(...(result.events ?? []));
  const { content } = result;
  const failed = result.isError ? { fallito: true as const } : {};
  events.push({
    type: 'ToolCallResult',
    messageId,
    toolCallId,
    content,
    role: 'tool',
    durataMs: durationMs,
    ...outcome,
    ...failed,
    ...(images.length && { immagini: [...images] }),
  });
  return events;
}

function patchOf({ path, before, after, attachment }: FileChange): StatePatch {
  const isSmall = (before?.length ?? 0) + (after?.length ?? 0) <= MAX_CHANGE_TEXT;
  return {
    op: after === null ? 'remove' : before === null ? 'add' : 'replace',
    path: `/file/${path}`,
    ...(after !== null && { value: isSmall ? after : null }),
    ...(before !== null && isSmall && { prima: before }),
    ...(attachment && { allegato: attachment }),
  };
}

function clip(text: string): string {
  if (text.length <= MAX_STREAM_TEXT) return text;
  const half = MAX_STREAM_TEXT / 2;
  return `${text.slice(0, half)}\n[… ${text.length - MAX_STREAM_TEXT} characters left out …]\n${text.slice(-half)}`;
}
