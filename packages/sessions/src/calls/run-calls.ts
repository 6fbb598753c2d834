import { groupSize } from '@fucina/conversation';
import {
  ANY_VERSION,
  type BackgroundSlot,
  type SeenFiles,
  type Tool,
  type ToolAction,
  type ToolContext,
  type ToolResult,
  textStart,
} from '@fucina/shared';
import type { BackgroundedCommand } from '../commands/processes.ts';
import { writeReach } from '../commands/write-reach.ts';
import { learning } from '../context/known-files.ts';
import { askUser, NOT_RUN_AFTER_REDIRECT, refusalOf, STOPPED } from '../permission/call-permission.ts';
import type { SessionHeader } from '../state/session.ts';
import type { SessionRecord } from '../store/store.ts';
import { append, type CallScope, type HookCall, isCutShort, type Turn } from '../turn/turn-context.ts';
import { endToolSpan, startToolSpan } from '../turn/turn-spans.ts';
import { type CallFiles, filesOfCall, type WatchedCall, watchCall } from './call-files.ts';
import { type ResultFacts, resultEvents } from './call-result.ts';
import { withControlWrites } from './control-writes.ts';
import { withHiddenReads } from './hidden-reads.ts';
import type { ReadCall } from './reading/call-reader.ts';
import { parsedInput } from './reading/values.ts';
import { REPETITIONS_FOR_ALARM, repetitionNotice } from './repeats.ts';
import { sideModel } from './side-model.ts';

interface PreparedCall {
  call: ReadCall;
  tool: Tool;
  input: unknown;
  action: ToolAction;
}

/** Maximum calls of one answer; the model is shown about the rest. */
const MAX_RUN = 128;
/** Made-up names and keys are quoted back to the model, up to this length. */
const MAX_REFUSAL_TEXT = 2_000;
const MAX_REMARK_TEXT = 400;

/** Runs the calls of one model answer: read-only calls in parallel, all others in order, each through the gate. */
export async function runToolCalls(calls: readonly ReadCall[], scope: CallScope): Promise<void> {
  const { turn, signal } = scope;
  const prepared = calls.map((call, index) => ({
    call,
    ready: index < MAX_RUN ? prepare(call, scope) : refusal(`Only the first ${MAX_RUN} calls of an answer are run.`),
  }));
  for (let index = 0; index < prepared.length; ) {
    const areParallel = prepared.slice(index).map(({ ready }) => !('tool' in ready) || isParallel(ready.tool));
    const group = prepared.slice(index, index + groupSize(areParallel));
    // On disk before it starts, if it may have effects: after a crash the next model is shown about it.
    if (group.some(({ ready }) => 'tool' in ready && ready.tool.effect !== 'read')) {
      turn.needs.journal.secure(turn.record.key);
    }
    await Promise.all(group.map(({ call, ready }) => runWatched(call, ready, scope)));
    index += group.length;
    if (signal.aborted || isCutShort(turn)) return;
  }
}

function isParallel({ effect, isParallel: isMarked = false }: Tool): boolean {
  return effect === 'read' || effect === 'network' || isMarked;
}

async function runWatched(call: ReadCall, ready: PreparedCall | ToolResult, scope: CallScope): Promise<void> {
  const files = filesOfCall(scope.turn);
  const { seen, versions } = learning(scope.seen);
  try {
    await runOne(call, ready, { ...scope, files, seen, versions });
  } finally {
    files.end();
  }
}

/** What one call adds: the files that it changes and those that it reads. */
interface OneCall extends CallScope, Pick<ResultFacts, 'versions'> {
  files: CallFiles;
}

async function runOne(call: ReadCall, ready: PreparedCall | ToolResult, scope: OneCall): Promise<void> {
  const {
    durationMs = 0,
    traces,
    isInterrupted,
    ...result
  } = 'tool' in ready ? await passGate(ready, scope) : { ...ready };
  const { needs, record, repeats } = scope.turn;
  if (isLeftOpen(record, call.id)) return;
  const times = repeats.note(call);
  const notice = times >= REPETITIONS_FOR_ALARM ? `\n${repetitionNotice(times)}` : '';
  const remark = 'tool' in ready ? remarkLine(ready.call) : '';
  const shown = { ...result, content: `${result.content}${remark}${notice}` };
  const [kept, media] = await Promise.all([
    needs.images.keep(result.images ?? []),
    needs.images.keepMedia(result.media ?? []),
  ]);
  const facts = {
    durationMs,
    messageId: needs.ambient.newId(),
    images: [...kept, ...media],
    turn: record.fold.runStartSeq,
    traces,
    isInterrupted,
    versions: scope.versions,
  };
  scope.appendResult(resultEvents(call.id, shown, facts));
}

/** True for a call whose card is still open after a clean shutdown: it is answered after the next start. */
function isLeftOpen({ fold }: SessionRecord, toolCallId: string): boolean {
  return [fold.pendingQuestion, fold.pendingPlan].some((card) => card?.toolCallId === toolCallId);
}

/** `durationMs` excludes the wait for a user. */
type TimedResult = ToolResult & { durationMs?: number } & Pick<ResultFacts, 'traces' | 'isInterrupted'>;

function prepare(call: ReadCall, { tools, dialect, turn: { record } }: CallScope): PreparedCall | ToolResult {
  const tool = tools.get(call.name);
  const shown = dialect.nameOf(call.name);
  if (!tool) {
    const names = [...new Set([...tools.keys()].map(dialect.nameOf))].join(', ');
    return refusal(`There is no tool named ${call.name}. Available: ${names}.`);
  }
  let json: unknown;
  try {
    json = JSON.parse(call.arguments.trim() || '{}');
  } catch (error) {
    const why = (error as SyntaxError).message;
    return refusal(`The arguments of ${shown} are not valid JSON: ${why}. Send the call again.`);
  }
  const { parsed, remarks } = parsedInput(tool, json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      const [param, ...inside] = path.map(String);
      const place = param === undefined ? 'arguments' : [dialect.paramOf(call.name, param), ...inside].join('.');
      return `${place}: ${message}`;
    });
    return refusal(`The arguments of ${shown} do not fit: ${problems.join('; ')}. Send the call again.`);
  }
  return {
    call: remarks.length ? { ...call, remarks: [...call.remarks, ...remarks] } : call,
    tool,
    input: parsed.data,
    action: tool.action(parsed.data, { ...record.header, level: record.settings.permissions }),
  };
}

/** One line for the model about what was understood although it was not as it should be. */
function remarkLine({ remarks }: Pick<ReadCall, 'remarks'>): string {
  return remarks.length ? `\n[Repaired in this call: ${textStart(remarks.join('; '), MAX_REMARK_TEXT)}.]` : '';
}

async function passGate(prepared: PreparedCall, scope: OneCall): Promise<TimedResult> {
  const { signal, turn } = scope;
  const { hooks } = turn.needs;
  const call = hookCall(prepared, turn.record.header);
  const refused =
    (await refusalOf(
      { ...prepared, isWritten: prepared.call.isWritten, problem: () => problemOf(prepared, scope) },
      scope,
    )) ?? (await hooks?.beforeCall(call, signal));
  if (refused !== undefined)
    return { ...refusal(refused), isInterrupted: refused === STOPPED || refused === NOT_RUN_AFTER_REDIRECT };
  const written = await withControlWrites(await runTool(prepared, scope), (path, content) =>
    writeAsked({ path, content }, scope),
  );
  const result = await withHiddenReads(written, {
    command: prepared.action.comando,
    asked: turn.askedReads,
    ask: (action) => readAsked(action, scope),
  });
  await hooks?.afterCall(call, { content: result.content, isError: result.isError ?? false }, signal);
  return result;
}

/**
 * A control file written by a command, as a call of the write tool: the gate asks for it at every level. The text is the
 * command's own, so nothing needs to be read first.
 */
async function writeAsked(file: { path: string; content: string }, scope: OneCall): Promise<TimedResult> {
  const args = JSON.stringify({ percorso: file.path, contenuto: file.content });
  const ready = prepare(
    { id: scope.turn.needs.ambient.newId(), name: 'scrivi', arguments: args, remarks: [], isCut: false },
    scope,
  );
  const seen: SeenFiles = { ...scope.seen, get: () => ANY_VERSION };
  return 'tool' in ready ? passGate(ready, { ...scope, seen }) : ready;
}

/** Without an available user the answer is no. */
async function readAsked(action: ToolAction, scope: CallScope): Promise<boolean> {
  const { needs, record, cardSlot } = scope.turn;
  if (scope.signal.aborted || needs.isUnattended(record)) return false;
  return (await cardSlot.exclusive(() => askUser(action, 'hidden', scope.turn))) ?? false;
}

function hookCall({ call, tool, input }: PreparedCall, { sessionId, folder }: SessionHeader): HookCall {
  return { sessionId, folder, toolCallId: call.id, name: tool.name, input };
}

async function problemOf({ tool, input }: PreparedCall, { turn, seen }: CallScope): Promise<string | undefined> {
  const { needs, record } = turn;
  return tool.check?.(input, {
    folder: record.header.folder,
    isWholeDisk: isWholeDisk(record),
    seen,
    editor: needs.editorOf(record)?.files,
  });
}

function isWholeDisk({ header, settings }: SessionRecord): boolean {
  return header.isProjectFolder && settings.permissions === 'Full access';
}

async function runTool(prepared: PreparedCall, scope: OneCall): Promise<TimedResult> {
  const span = startToolSpan(scope.turn, prepared.call);
  const result = await callTool(prepared, scope, span?.traceparent);
  endToolSpan(span, scope.turn.needs.ambient, result);
  return result;
}

async function callTool(
  { call, tool, input, action }: PreparedCall,
  scope: OneCall,
  traceparent: string | undefined,
): Promise<TimedResult> {
  const { turn } = scope;
  const { needs, record } = turn;
  const { folder, testCommand, sessionId } = record.header;
  const own = new AbortController();
  const watched = await watchCall(tool, action, scope.files);
  const slot =
    tool.effect === 'process'
      ? backgroundSlot(call.id, turn, { watched, stop: () => own.abort('stopped') })
      : undefined;
  const writes = writeReach(record.settings);
  const editor = needs.editorOf(record);
  const context: ToolContext = {
    folder,
    testCommand,
    sessionId,
    toolCallId: call.id,
    signal: AbortSignal.any([scope.signal, own.signal]),
    isWholeDisk: isWholeDisk(record),
    writes,
    background: slot?.background ?? null,
    tell: (events) => append(turn, events),
    // The last piece is committed with the next write.
    progress: (delta, isLast) =>
      needs.journal[isLast ? 'hold' : 'gather'](record, [{ type: 'ToolCallOutput', toolCallId: call.id, delta }]),
    seen: scope.seen,
    willChange: watched.willChange,
    editor: editor?.files,
    sideModel: sideModel(turn),
    traceparent,
    windowTokens: needs.compactions.policy(record).windowTokens ?? undefined,
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
    return { ...refusal(why), isInterrupted: scope.signal.aborted };
  } finally {
    slot?.forget();
  }
}

/**
 * Until the tool releases its command, the user may stop it or move it to the background; then the session owns it.
 */
function backgroundSlot(
  toolCallId: string,
  { needs: { processes }, record }: Turn,
  { watched, stop }: { watched: WatchedCall; stop(): void },
): { background: BackgroundSlot; forget(): void } {
  const asked = new AbortController();
  const forget = processes.add(record.header.sessionId, toolCallId, {
    stop,
    sendToBackground: () => asked.abort('user'),
  });
  const letGo = (command: BackgroundedCommand): void => {
    forget();
    watched.letGo(command.ended);
    processes.letGo(record, toolCallId, command);
  };
  return { background: { asked: asked.signal, letGo }, forget };
}

function refusal(content: string): ToolResult {
  const isLong = content.length > MAX_REFUSAL_TEXT;
  return { content: isLong ? `${textStart(content, MAX_REFUSAL_TEXT)} […]` : content, isError: true };
}
