import type { ModelFailure, SessionEvent } from '@fucina/shared';
import { conversationTokens } from '../context/context-use.ts';
import { folderBrief } from '../context/folder-brief.ts';
import { changedRules, systemPrompt, type WorkRules } from '../context/system-prompt.ts';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import { nextSessionState } from '../state/session-state.ts';
import type { QueuedMessage } from '../store/queue-table.ts';
import type { SessionRecord } from '../store/store.ts';
import { createAnswerEnds, cutCall } from './answer-end.ts';
import { askModel, isExternal } from './ask-model.ts';
import { NOT_RUN_AFTER_REDIRECT } from './call-permission.ts';
import { closingEvents, interruptedCall } from './closing.ts';
import { compactIfNeeded, makeRoom } from './context-budget.ts';
import { externalTurn } from './external-turn.ts';
import type { LiveTurn, TurnMemory } from './live-turn.ts';
import type { ModelStep } from './model-step.ts';
import { requestTools } from './on-demand-tools.ts';
import { createCardSlot } from './pending-card.ts';
import { sideModel } from './side-model.ts';
import { runToolCalls } from './tool-step.ts';
import { endTurnSpan, startTurnSpan } from './turn-spans.ts';
import { append, appendResult, type Offered, type TurnNeeds, type TurnState } from './turn-state.ts';

/** Model calls after a user message before the turn ends with `giri-esauriti`. */
const MAX_STEPS = 200;
/** How long the turn waits for the recording of a command's changes; later ones are recorded afterwards. */
const CHANGES_MS = 3_000;

interface TurnBeginning {
  memory: TurnMemory;
  maxModelCalls?: number | undefined;
  /** For the first model call; if absent, it is requested. */
  offered?: Offered | undefined;
  /** The trace context of what started the turn. */
  traceparent?: string | undefined;
}

/** The RunStarted of this turn is already in the journal and in the conversation. */
export function startTurn(
  needs: TurnNeeds,
  record: SessionRecord,
  { memory, maxModelCalls = MAX_STEPS, offered, traceparent }: TurnBeginning,
): LiveTurn {
  const controller = new AbortController();
  const { signal } = controller;
  const state: TurnState = {
    ...memory,
    needs,
    record,
    signal,
    cardSlot: createCardSlot(signal),
    usage: { prompt_tokens: 0, completion_tokens: 0, cached_tokens: null, giri: 0 },
    redirect: undefined,
    cut: new AbortController(),
    isFinishing: false,
    span: startTurnSpan(needs.ambient, record, traceparent),
    contextBudget: { lastPromptTokens: 0, isWorking: false, isReady: false },
  };
  needs.changes.begin(record);
  const done = runTurn(state, { memory, maxModelCalls: Math.min(maxModelCalls, MAX_STEPS), offered });
  return {
    record,
    runId: memory.runId,
    cardSlot: state.cardSlot,
    signal,
    done,
    stop(by) {
      controller.abort(by);
      state.cut.abort(by);
    },
    redirect(redirect) {
      if (state.redirect || signal.aborted) return false;
      state.redirect = redirect;
      state.cardSlot.cancel();
      state.cut.abort('redirect');
      return true;
    },
    tryNow() {
      const { tryNow } = state;
      tryNow?.();
      return tryNow !== undefined;
    },
    finishSoon: () => void (state.isFinishing = true),
    append: (events, extras) => append(state, events, extras),
    addresses: state.conversation.addresses,
  };
}

type Ending =
  | { type: 'RunFinished' }
  | {
      type: 'RunError';
      message: string;
      code: string;
      classe?: string;
      riprovaTraMs?: number;
      messaggioFornitore?: string;
    };

interface Bounds extends TurnBeginning {
  maxModelCalls: number;
}

async function runTurn(state: TurnState, bounds: Bounds): Promise<void> {
  try {
    await takeSteps(state, bounds);
  } catch (error) {
    const { sessionId } = state.record.header;
    state.needs.ambient.log.error('turn.failed', { sessionId, runId: state.runId, error });
    endSafely(state, { type: 'RunError', code: 'internal-error', message: 'An internal error ended the turn.' });
  }
}

async function takeSteps(state: TurnState, { memory, maxModelCalls, offered }: Bounds): Promise<void> {
  const { record, signal } = state;
  state.brief ??= await folderBrief(record.header.folder);
  memory.brief = state.brief;
  memory.rules ??= rulesOf(record.settings);
  const { rules } = memory;
  const system = systemPrompt(state.brief, record.header, { ...record.settings, ...rules });
  const answerEnds = createAnswerEnds();
  if (record.fold.runs === 1) await state.needs.hooks?.sessionBegins(record.header, signal);
  for (let step = 1, left = maxModelCalls; left > 0; step += 1, left -= 1) {
    const all = await (step === 1 && offered ? offered : state.needs.offer(record));
    const inRequest = requestTools(all, record.header.workflowStep !== null);
    reportRules(state, rules);
    await compactIfNeeded(state, { system, ...inRequest });
    if (signal.aborted) return endSafely(state, stopped(signal));
    const toolset = toolNeeds(state, inRequest.tools);
    const { specs, isRare } = inRequest;
    const answer = await askModel(state, { step, system, specs, isRare, external: externalTurn(toolset) });
    if (signal.aborted) return endSafely(state, stopped(signal));
    if (isTooLong(answer) && (await makeRoom(state))) continue;
    const isJudged = !answer.failure && !state.redirect && !isExternal(state);
    const next = isJudged ? answerEnds.next(answer) : undefined;
    const end = next && 'error' in next ? next.error : undefined;
    if (answer.toolCalls.length && !state.redirect && !answer.failure && !end) {
      await runWholeCalls(state, answer, toolset);
      if (signal.aborted) return endSafely(state, stopped(signal));
      if (!state.redirect && !state.isFinishing) continue;
    }
    if (next && 'tell' in next && !state.isFinishing && !state.redirect) {
      state.conversation.tell(next.tell);
      continue;
    }
    await state.needs.changes.settled(record.header.sessionId, CHANGES_MS);
    if (signal.aborted) return endSafely(state, stopped(signal));
    if (state.redirect) applyRedirect(state, state.redirect);
    else if (end) return endSafely(state, end);
    else if (answer.failure) return endSafely(state, failed(answer.failure));
    else if (!deliverQueued(state)) return endSafely(state, { type: 'RunFinished' });
    // A new user message: the limit of steps starts again.
    left = maxModelCalls + 1;
  }
  endSafely(state, {
    type: 'RunError',
    code: 'giri-esauriti',
    message: `The turn reached its limit of ${maxModelCalls} model calls.`,
  });
}

function rulesOf({ permissions, mode }: WorkRules): WorkRules {
  return { permissions, mode };
}

/** A change of permissions or mode is a message of its own: another system prompt would cost the provider's cache. */
function reportRules(state: TurnState, prompted: WorkRules): void {
  const now = rulesOf(state.record.settings);
  const text = changedRules(state.conversation.rules() ?? prompted, now);
  if (!text) return;
  append(state, [customEvent(CUSTOM_EVENTS.reportedRules, { ...now, testo: text })]);
}

/** All but a call that the output limit cut: its result says so. */
async function runWholeCalls(
  state: TurnState,
  answer: ModelStep,
  toolset: Parameters<typeof runToolCalls>[1],
): Promise<void> {
  const cut = cutCall(answer);
  if (cut) {
    const { id, content } = cut;
    append(state, [interruptedCall(id, { messageId: state.needs.ambient.newId(), content })]);
  }
  await runToolCalls(
    answer.toolCalls.filter(({ id }) => id !== cut?.id),
    toolset,
  );
}

function isTooLong({ failure, hasOutput }: ModelStep): boolean {
  return failure?.class === 'context-too-long' && !hasOutput;
}

function toolNeeds(
  state: TurnState,
  tools: Parameters<typeof runToolCalls>[1]['tools'],
): Parameters<typeof runToolCalls>[1] {
  const { needs, record, signal, cardSlot, repeats, askedReads, span } = state;
  const { sessionId } = record.header;
  return {
    ambient: needs.ambient,
    images: needs.images,
    tools,
    isControlFile: needs.isControlFile,
    rule: needs.rule,
    ...(needs.reach && { reach: needs.reach }),
    knowsAddress: (address) => knowsAddress(state, address),
    isSandboxed: needs.commands.isSandboxed,
    hooks: needs.hooks,
    cardSlot,
    place: { ...record.header },
    settings: () => record.settings,
    grants: () => record.fold.grants,
    seen: state.conversation.files,
    repeats,
    askedReads,
    append: (events) => append(state, events),
    appendResult: (events) => appendResult(state, events),
    secure: () => needs.journal.secure(record.key),
    emit: (events) => needs.journal.gather(record, events),
    emitLast: (events) => needs.journal.hold(record, events),
    processes: {
      add: (toolCallId, handle) => needs.processes.add(sessionId, toolCallId, handle),
      letGo: (toolCallId, command) => needs.processes.letGo(record, toolCallId, command),
    },
    files: {
      turn: () => record.fold.runStartSeq,
      settled: () => needs.changes.settled(sessionId, CHANGES_MS),
      ready: () => needs.changes.ready(record),
      command: () => needs.changes.command(record),
      writing: (path) => needs.changes.writing(record, [path]),
      note: (path) => needs.changes.note(record, path),
    },
    isLeftOpen: (toolCallId) =>
      [record.fold.pendingQuestion, record.fold.pendingPlan].some((card) => card?.toolCallId === toolCallId),
    isCutShort: () => state.redirect !== undefined,
    isUnattended: () => needs.isUnattended(record),
    ...(needs.isTooWide && { isTooWide: needs.isTooWide }),
    isSending: async (line) => !needs.readsAnyAddress(record) && ((await needs.isSending?.(line)) ?? false),
    ...(needs.commandPrefixes && { commandPrefixes: needs.commandPrefixes }),
    editor: () => needs.editorOf(record),
    sideModel: () => sideModel(state),
    span,
    signal,
  };
}

function knowsAddress({ conversation: { addresses }, record, needs }: TurnState, address: string): boolean {
  if (addresses.isFound(address) || needs.readsAnyAddress(record)) return true;
  return record.header.parentId === null ? addresses.isWritten(address) : needs.ancestorKnows(record, address);
}

/** The user's new message, at a safe boundary; calls that have not started are reported as skipped. */
function applyRedirect(state: TurnState, { redirectId, input }: NonNullable<TurnState['redirect']>): void {
  const { record, needs } = state;
  needs.journal.flush(record.key);
  const notRun = record.fold.openCalls.map((toolCallId) =>
    interruptedCall(toolCallId, { messageId: needs.ambient.newId(), content: NOT_RUN_AFTER_REDIRECT }),
  );
  const { message: testo, images, modelText: testoModello } = input;
  append(state, [
    ...notRun,
    {
      type: 'RunRedirectApplied',
      redirectId,
      testo,
      ...(images?.length && { immagini: [...images] }),
      ...(testoModello && { testoModello }),
    },
  ]);
  state.redirect = undefined;
  state.cut = new AbortController();
  state.isFinishing = false;
}

/** When the turn would end, the first message of the queue continues it. */
function deliverQueued(state: TurnState): boolean {
  const { needs, record } = state;
  if (state.isFinishing) return false;
  const { messages, isPaused } = needs.journal.queueOf(record);
  const [first] = messages;
  if (!first || isPaused || needs.budget.isOver(record)) return false;
  append(state, [deliveredEvent(first)], { takesQueued: first.id });
  needs.journal.publishQueue(record.key);
  return true;
}

function deliveredEvent({ id, input }: QueuedMessage): SessionEvent {
  return {
    type: 'QueuedMessageDelivered',
    testo: input.message,
    ...(input.images?.length && { immagini: [...input.images] }),
    ...(input.bubble && { bolla: input.bubble }),
    ...(input.modelText && { testoModello: input.modelText }),
    codaId: id,
  };
}

function stopped(signal: AbortSignal): Ending {
  if (signal.reason === 'user') return { type: 'RunError', code: 'fermato', message: 'Stopped by the user.' };
  return {
    type: 'RunError',
    code: 'SESSION_INTERRUPTED',
    message: 'The program was closed in the middle of this turn.',
  };
}

const CLASS_ON_WIRE: Partial<Record<ModelFailure['class'], string>> = {
  'rate-limit': 'traffico',
  server: 'guasto-fornitore',
  credential: 'credenziale',
  credit: 'credito',
  'context-too-long': 'contesto-troppo-lungo',
  'request-refused': 'richiesta-rifiutata',
  network: 'rete',
  timeout: 'timeout-fornitore',
  'stream-interrupted': 'flusso-interrotto',
  'not-configured': 'da-configurare',
};

function failed({ code, message, class: failureClass, retryAfterMs, providerMessage }: ModelFailure): Ending {
  const classe = CLASS_ON_WIRE[failureClass];
  const wait = retryAfterMs === null ? {} : { riprovaTraMs: retryAfterMs };
  const said = providerMessage === undefined ? {} : { messaggioFornitore: providerMessage };
  return { type: 'RunError', code, message, ...(classe && { classe }), ...wait, ...said };
}

/** If the last event cannot be stored, the session stays leased and is found interrupted at the next start. */
function endSafely(state: TurnState, ending: Ending): void {
  try {
    endTurn(state, ending);
  } catch (error) {
    state.needs.ambient.log.error('turn.end-not-saved', { sessionId: state.record.header.sessionId, error });
  }
  endTurnSpan(state, ending.type === 'RunError' ? ending.code : undefined);
}

function endTurn(state: TurnState, ending: Ending): void {
  const { record, runId, needs } = state;
  const isLost = ending.type === 'RunError' && ending.code === 'SESSION_INTERRUPTED';
  const now = { ...record, fold: needs.journal.foldOf(record) };
  const closing = closingEvents(now, needs, isLost ? 'lost' : 'stopped');
  const last: SessionEvent =
    ending.type === 'RunFinished' ? { type: 'RunFinished', threadId: record.header.sessionId, runId } : { ...ending };
  const to = nextSessionState(record.state, isLost ? 'lose-process' : 'end-turn');
  append(state, [...closing, last], { move: { from: record.state, to, lease: null } });
  // Estimated once for each message: after a long answer, the next request would wait for it.
  needs.ambient.timer(0, () => void conversationTokens(state.conversation.messages()));
}
