import { groupSize } from '@fucina/conversation';
import {
  ANY_VERSION,
  type BackgroundSlot,
  type Editor,
  type ModelToolCall,
  type SeenFiles,
  type SessionEvent,
  type SideModel,
  type Tool,
  type ToolAction,
  type ToolContext,
  type ToolPlace,
  type ToolResult,
  textStart,
} from '@fucina/shared';
import type { BackgroundedCommand, ProcessHandle } from '../commands/processes.ts';
import { writeReach } from '../commands/write-reach.ts';
import type { ChatImages } from '../context/images.ts';
import { learning } from '../context/known-files.ts';
import { askUser, NOT_RUN_AFTER_REDIRECT, type PermissionNeeds, refusalOf, STOPPED } from './call-permission.ts';
import { withControlWrites } from './control-writes.ts';
import { withHiddenReads } from './hidden-reads.ts';
import { REPETITIONS_FOR_ALARM, type Repeats, repetitionNotice } from './repeats.ts';
import { filesOfCall, type ToolFiles, type WatchedCall, watchCall } from './tool-files.ts';
import { type ResultFacts, resultEvents } from './tool-result.ts';
import type { HookCall, TurnHooks } from './turn-hooks.ts';
import { endToolSpan, startToolSpan } from './turn-spans.ts';

/** Runs the calls of one model answer: read-only calls in parallel, all others in order, each through the gate. */
export interface ToolStepNeeds extends PermissionNeeds {
  images: Pick<ChatImages, 'keep' | 'keepMedia'>;
  tools: ReadonlyMap<string, Tool>;
  place: ToolPlace & { sessionId: string; isProjectFolder: boolean };
  seen: SeenFiles;
  repeats: Repeats;
  /** Hidden paths about which the user was already asked. */
  askedReads: Set<string>;
  /** The same for the result of a call, not always at once. */
  appendResult(events: readonly SessionEvent[]): void;
  /** Commits pending events; throws if that failed. */
  secure(): void;
  /** Streams live output. */
  emit(events: readonly SessionEvent[]): void;
  /** The end of live output: committed with the next write. */
  emitLast(events: readonly SessionEvent[]): void;
  processes: {
    /** Lets a user stop one command or move it to the background; removed when it ends. */
    add(toolCallId: string, handle: ProcessHandle): () => void;
    letGo(toolCallId: string, command: BackgroundedCommand): void;
  };
  files: ToolFiles;
  hooks: TurnHooks | undefined;
  /** True for a call whose card is still open after a clean shutdown: it is answered after the next start. */
  isLeftOpen(toolCallId: string): boolean;
  /** The editor currently connected to the session. */
  editor?(): Editor | undefined;
  /** The model of the session, for tools that ask it. */
  sideModel?(): SideModel | undefined;
}

interface PreparedCall {
  call: ModelToolCall;
  tool: Tool;
  input: unknown;
  action: ToolAction;
}

/** Maximum calls of one answer; the model is shown about the rest. */
const MAX_RUN = 128;
/** Made-up names and keys are quoted back to the model, up to this length. */
const MAX_REFUSAL_TEXT = 2_000;

export async function runToolCalls(calls: readonly ModelToolCall[], needs: ToolStepNeeds): Promise<void> {
  const prepared = calls.map((call, index) => ({
    call,
    ready: index < MAX_RUN ? prepare(call, needs) : refusal(`Only the first ${MAX_RUN} calls of an answer are run.`),
  }));
  for (let index = 0; index < prepared.length; ) {
    const areParallel = prepared.slice(index).map(({ ready }) => !('tool' in ready) || isParallel(ready.tool));
    const group = prepared.slice(index, index + groupSize(areParallel));
    // On disk before it starts, if it may have effects: after a crash the next model is shown about it.
    if (group.some(({ ready }) => 'tool' in ready && ready.tool.effect !== 'read')) needs.secure();
    await Promise.all(group.map(({ call, ready }) => runWatched(call, ready, needs)));
    index += group.length;
    if (needs.signal.aborted || needs.isCutShort()) return;
  }
}

function isParallel({ effect, isParallel: isMarked = false }: Tool): boolean {
  return effect === 'read' || effect === 'network' || isMarked;
}

async function runWatched(call: ModelToolCall, ready: PreparedCall | ToolResult, needs: ToolStepNeeds): Promise<void> {
  const { files, end } = filesOfCall(needs.files);
  const { seen, versions } = learning(needs.seen);
  try {
    await runOne(call, ready, { ...needs, files, seen, versions });
  } finally {
    end();
  }
}

async function runOne(
  call: ModelToolCall,
  ready: PreparedCall | ToolResult,
  needs: ToolStepNeeds & Pick<ResultFacts, 'versions'>,
): Promise<void> {
  const {
    durationMs = 0,
    traces,
    isInterrupted,
    ...result
  } = 'tool' in ready ? await passGate(ready, needs) : { ...ready };
  if (needs.isLeftOpen(call.id)) return;
  const times = needs.repeats.note(call);
  const notice = times >= REPETITIONS_FOR_ALARM ? `\n${repetitionNotice(times)}` : '';
  const shown = { ...result, content: `${result.content}${notice}` };
  const [kept, media] = await Promise.all([
    needs.images.keep(result.images ?? []),
    needs.images.keepMedia(result.media ?? []),
  ]);
  const images = [...kept, ...media];
  const facts = {
    durationMs,
    messageId: needs.ambient.newId(),
    images,
    turn: needs.files.turn(),
    traces,
    isInterrupted,
    versions: needs.versions,
  };
  needs.appendResult(resultEvents(call.id, shown, facts));
}

/** `durationMs` excludes the wait for a user. */
type TimedResult = ToolResult & { durationMs?: number } & Pick<ResultFacts, 'traces' | 'isInterrupted'>;

function prepare(call: ModelToolCall, { tools, place, settings }: ToolStepNeeds): PreparedCall | ToolResult {
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
  return {
    call,
    tool,
    input: parsed.data,
    action: tool.action(parsed.data, { ...place, level: settings().permissions }),
  };
}

async function passGate(prepared: PreparedCall, needs: ToolStepNeeds): Promise<TimedResult> {
  const { hooks, signal } = needs;
  const call = hookCall(prepared, needs);
  const refused =
    (await refusalOf({ ...prepared, problem: () => problemOf(prepared, needs) }, needs)) ??
    (await hooks?.beforeCall(call, signal));
  if (refused !== undefined)
    return { ...refusal(refused), isInterrupted: refused === STOPPED || refused === NOT_RUN_AFTER_REDIRECT };
  const written = await withControlWrites(await runTool(prepared, needs), (path, content) =>
    writeAsked({ path, content }, needs),
  );
  const result = await withHiddenReads(written, {
    command: prepared.action.comando,
    asked: needs.askedReads,
    ask: (action) => readAsked(action, needs),
  });
  await hooks?.afterCall(call, { content: result.content, isError: result.isError ?? false }, signal);
  return result;
}

/**
 * A control file written by a command, as a call of the write tool: the gate asks for it at every level. The text is the
 * command's own, so nothing needs to be read first.
 */
async function writeAsked(file: { path: string; content: string }, needs: ToolStepNeeds): Promise<TimedResult> {
  const args = JSON.stringify({ percorso: file.path, contenuto: file.content });
  const ready = prepare({ id: needs.ambient.newId(), name: 'scrivi', arguments: args }, needs);
  const seen: SeenFiles = { ...needs.seen, get: () => ANY_VERSION };
  return 'tool' in ready ? passGate(ready, { ...needs, seen }) : ready;
}

/** Without an available user the answer is no. */
async function readAsked(action: ToolAction, needs: ToolStepNeeds): Promise<boolean> {
  if (needs.signal.aborted || needs.isUnattended?.()) return false;
  return (await needs.cardSlot.exclusive(() => askUser(action, 'hidden', needs))) ?? false;
}

function hookCall({ call, tool, input }: PreparedCall, { place }: ToolStepNeeds): HookCall {
  return { sessionId: place.sessionId, folder: place.folder, toolCallId: call.id, name: tool.name, input };
}

async function problemOf({ tool, input }: PreparedCall, needs: ToolStepNeeds): Promise<string | undefined> {
  return tool.check?.(input, {
    folder: needs.place.folder,
    isWholeDisk: isWholeDisk(needs),
    seen: needs.seen,
    editor: needs.editor?.()?.files,
  });
}

const isWholeDisk = ({ place, settings }: ToolStepNeeds): boolean =>
  place.isProjectFolder && settings().permissions === 'Full access';

async function runTool(prepared: PreparedCall, needs: ToolStepNeeds): Promise<TimedResult> {
  const span = startToolSpan(needs, prepared.call);
  const result = await callTool(prepared, needs, span?.traceparent);
  endToolSpan(span, needs.ambient, result);
  return result;
}

async function callTool(
  { call, tool, input, action }: PreparedCall,
  needs: ToolStepNeeds,
  traceparent: string | undefined,
): Promise<TimedResult> {
  const { folder, testCommand, sessionId } = needs.place;
  const own = new AbortController();
  const watched = await watchCall(tool, action, needs.files);
  const slot =
    tool.effect === 'process'
      ? backgroundSlot(call.id, needs, { watched, stop: () => own.abort('stopped') })
      : undefined;
  const writes = writeReach(needs.settings());
  const editor = needs.editor?.();
  const context: ToolContext = {
    folder,
    testCommand,
    sessionId,
    toolCallId: call.id,
    signal: AbortSignal.any([needs.signal, own.signal]),
    isWholeDisk: isWholeDisk(needs),
    writes,
    background: slot?.background ?? null,
    tell: needs.append,
    progress: (delta, isLast) =>
      needs[isLast ? 'emitLast' : 'emit']([{ type: 'ToolCallOutput', toolCallId: call.id, delta }]),
    seen: needs.seen,
    willChange: watched.willChange,
    editor: editor?.files,
    sideModel: needs.sideModel?.(),
    traceparent,
    terminals: writes === 'anything' ? editor?.terminals : undefined,
  };
  const startedAt = needs.ambient.monotonic();
  try {
    const result = await tool.run(input, context);
    const durationMs = Math.round(result.command?.durationMs ?? needs.ambient.monotonic() - startedAt);
    return { ...result, durationMs, traces: await watched.finish(result.changes ?? []) };
  } catch (error) {
    await watched.finish([]);
    needs.ambient.log.error('tool.failed', { sessionId, tool: tool.name, error });
    const why = `${tool.name} failed: ${error instanceof Error ? error.message : 'unknown error'}.`;
    return { ...refusal(why), isInterrupted: needs.signal.aborted };
  } finally {
    slot?.forget();
  }
}

/**
 * Until the tool releases its command, the user may stop it or move it to the background; then the session owns it.
 */
function backgroundSlot(
  toolCallId: string,
  { processes }: ToolStepNeeds,
  { watched, stop }: { watched: WatchedCall; stop(): void },
): { background: BackgroundSlot; forget(): void } {
  const asked = new AbortController();
  const forget = processes.add(toolCallId, { stop, sendToBackground: () => asked.abort('user') });
  const letGo = (command: BackgroundedCommand): void => {
    forget();
    watched.letGo(command.ended);
    processes.letGo(toolCallId, command);
  };
  return { background: { asked: asked.signal, letGo }, forget };
}

function refusal(content: string): ToolResult {
  const isLong = content.length > MAX_REFUSAL_TEXT;
  return { content: isLong ? `${textStart(content, MAX_REFUSAL_TEXT)} […]` : content, isError: true };
}
