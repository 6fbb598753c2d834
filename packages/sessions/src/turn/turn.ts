import type { ModelFailure, SessionEvent } from '@fucina/shared';
import { CHANGES_MS } from '../calls/call-files.ts';
import { externalTurn } from '../calls/external-turn.ts';
import { requestTools } from '../calls/on-demand-tools.ts';
import { createCallReader } from '../calls/reading/call-reader.ts';
import { runToolCalls } from '../calls/run-calls.ts';
import { conversationTokens } from '../context/context-use.ts';
import { folderBrief } from '../context/folder-brief.ts';
import { changedRules, systemPrompt, type WorkRules } from '../context/system-prompt.ts';
import { dialectOf } from '../dialects/dialect.ts';
import type { LiveTurn, TurnMemory } from '../live-turn.ts';
import { NOT_RUN_AFTER_REDIRECT } from '../permission/call-permission.ts';
import { createCardSlot } from '../permission/pending-card.ts';
import { answeringModel } from '../state/answering-model.ts';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import { nextSessionState } from '../state/session-state.ts';
import type { QueuedMessage } from '../store/queue-table.ts';
import type { SessionRecord } from '../store/store.ts';
import { createAnswerEnds, cutCall } from './answer-end.ts';
import { askModel, isExternal } from './ask-model.ts';
import { closingEvents, interruptedCall } from './closing.ts';
import { compactIfNeeded, makeRoom } from './context-budget.ts';
import type { ModelStep } from './model-step.ts';
import { takeWrittenCalls } from './text-calls.ts';
import { append, appendResult, type CallScope, type Offered, type Turn, type TurnNeeds } from './turn-context.ts';
import { endTurnSpan, startTurnSpan } from './turn-spans.ts';

/** Model calls after a user message before the turn ends with `giri-esauriti`. */
const MAX_STEPS = 200;

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
  const turn: Turn = {
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
  const done = runTurn(turn, { memory, maxModelCalls: Math.min(maxModelCalls, MAX_STEPS), offered });
  return {
    record,
    runId: memory.runId,
    cardSlot: turn.cardSlot,
    signal,
    done,
    stop(by) {
      controller.abort(by);
      turn.cut.abort(by);
    },
    redirect(redirect) {
      if (turn.redirect || signal.aborted) return false;
      turn.redirect = redirect;
      turn.cardSlot.cancel();
      turn.cut.abort('redirect');
      return true;
    },
    tryNow() {
      const { tryNow } = turn;
      tryNow?.();
      return tryNow !== undefined;
    },
    finishSoon: () => void (turn.isFinishing = true),
    append: (events, extras) => append(turn, events, extras),
    addresses: turn.conversation.addresses,
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

async function runTurn(turn: Turn, bounds: Bounds): Promise<void> {
  try {
    await takeSteps(turn, bounds);
  } catch (error) {
    const { sessionId } = turn.record.header;
    turn.needs.ambient.log.error('turn.failed', { sessionId, runId: turn.runId, error });
    endSafely(turn, { type: 'RunError', code: 'internal-error', message: 'An internal error ended the turn.' });
  }
}

async function takeSteps(turn: Turn, { memory, maxModelCalls, offered }: Bounds): Promise<void> {
  const { record, signal } = turn;
  turn.brief ??= await folderBrief(record.header.folder);
  memory.brief = turn.brief;
  memory.rules ??= rulesOf(record.settings);
  const { rules } = memory;
  const answerEnds = createAnswerEnds();
  if (record.fold.runs === 1) await turn.needs.hooks?.sessionBegins(record.header, signal);
  for (let step = 1, left = maxModelCalls; left > 0; step += 1, left -= 1) {
    const all = await (step === 1 && offered ? offered : turn.needs.offer(record));
    const dialect = dialectOf(answeringModel(record), turn.needs.dialects);
    const inRequest = requestTools(all, { isStep: record.header.workflowStep !== null, dialect });
    const system = systemPrompt(turn.brief, record.header, { ...record.settings, ...rules, dialect });
    reportRules(turn, rules);
    await compactIfNeeded(turn, { system, ...inRequest });
    if (signal.aborted) return endSafely(turn, stopped(signal));
    const scope = callScope(turn, inRequest);
    const { specs, show } = inRequest;
    const reader = createCallReader(new Set(inRequest.tools.keys()), dialect);
    const answer = await askModel(turn, { step, system, specs, show, reader, external: externalTurn(scope) });
    if (signal.aborted) return endSafely(turn, stopped(signal));
    if (!isExternal(turn)) takeWrittenCalls(answer, scope, reader);
    if (isTooLong(answer) && (await makeRoom(turn))) continue;
    const isJudged = !answer.failure && !turn.redirect && !isExternal(turn);
    const next = isJudged ? answerEnds.next(answer) : undefined;
    const end = next && 'error' in next ? next.error : undefined;
    if (answer.toolCalls.length && !turn.redirect && !answer.failure && !end) {
      await runWholeCalls(answer, scope);
      if (signal.aborted) return endSafely(turn, stopped(signal));
      if (!turn.redirect && !turn.isFinishing) continue;
    }
    if (next && 'tell' in next && !turn.isFinishing && !turn.redirect) {
      turn.conversation.tell(next.tell);
      continue;
    }
    await turn.needs.changes.settled(record.header.sessionId, CHANGES_MS);
    if (signal.aborted) return endSafely(turn, stopped(signal));
    if (turn.redirect) applyRedirect(turn, turn.redirect);
    else if (end) return endSafely(turn, end);
    else if (answer.failure) return endSafely(turn, failed(answer.failure));
    else if (!deliverQueued(turn)) return endSafely(turn, { type: 'RunFinished' });
    // A new user message: the limit of steps starts again.
    left = maxModelCalls + 1;
  }
  endSafely(turn, {
    type: 'RunError',
    code: 'giri-esauriti',
    message: `The turn reached its limit of ${maxModelCalls} model calls.`,
  });
}

function rulesOf({ permissions, mode }: WorkRules): WorkRules {
  return { permissions, mode };
}

/** A change of permissions or mode is a message of its own: another system prompt would cost the provider's cache. */
function reportRules(turn: Turn, prompted: WorkRules): void {
  const now = rulesOf(turn.record.settings);
  const text = changedRules(turn.conversation.rules() ?? prompted, now);
  if (!text) return;
  append(turn, [customEvent(CUSTOM_EVENTS.reportedRules, { ...now, testo: text })]);
}

/** All but a call that the output limit cut: its result says so. */
async function runWholeCalls(answer: ModelStep, scope: CallScope): Promise<void> {
  const cut = cutCall(answer);
  if (cut) {
    const { id, content } = cut;
    append(scope.turn, [interruptedCall(id, { messageId: scope.turn.needs.ambient.newId(), content })]);
  }
  const whole = answer.toolCalls.filter(({ id }) => id !== cut?.id);
  await runToolCalls(whole, scope);
}

function isTooLong({ failure, hasOutput }: ModelStep): boolean {
  return failure?.class === 'context-too-long' && !hasOutput;
}

/** Of the calls of one answer: those of the model, whose conversation knows the files. */
function callScope(turn: Turn, { tools, dialect }: Pick<CallScope, 'tools' | 'dialect'>): CallScope {
  const { conversation, signal } = turn;
  return {
    turn: turn,
    tools,
    dialect,
    signal,
    seen: conversation.files,
    appendResult: (events) => appendResult(turn, events),
  };
}

/** The user's new message, at a safe boundary; calls that have not started are reported as skipped. */
function applyRedirect(turn: Turn, { redirectId, input }: NonNullable<Turn['redirect']>): void {
  const { record, needs } = turn;
  needs.journal.flush(record.key);
  const notRun = record.fold.openCalls.map((toolCallId) =>
    interruptedCall(toolCallId, { messageId: needs.ambient.newId(), content: NOT_RUN_AFTER_REDIRECT }),
  );
  const { message: testo, images, modelText: testoModello } = input;
  append(turn, [
    ...notRun,
    {
      type: 'RunRedirectApplied',
      redirectId,
      testo,
      ...(images?.length && { immagini: [...images] }),
      ...(testoModello && { testoModello }),
    },
  ]);
  turn.redirect = undefined;
  turn.cut = new AbortController();
  turn.isFinishing = false;
}

/** When the turn would end, the first message of the queue continues it. */
function deliverQueued(turn: Turn): boolean {
  const { needs, record } = turn;
  if (turn.isFinishing) return false;
  const { messages, isPaused } = needs.journal.queueOf(record);
  const [first] = messages;
  if (!first || isPaused || needs.budget.isOver(record)) return false;
  append(turn, [deliveredEvent(first)], { takesQueued: first.id });
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
function endSafely(turn: Turn, ending: Ending): void {
  try {
    endTurn(turn, ending);
  } catch (error) {
    turn.needs.ambient.log.error('turn.end-not-saved', { sessionId: turn.record.header.sessionId, error });
  }
  endTurnSpan(turn, ending.type === 'RunError' ? ending.code : undefined);
}

function endTurn(turn: Turn, ending: Ending): void {
  const { record, runId, needs } = turn;
  const isLost = ending.type === 'RunError' && ending.code === 'SESSION_INTERRUPTED';
  const now = { ...record, fold: needs.journal.foldOf(record) };
  const closing = closingEvents(now, needs, isLost ? 'lost' : 'stopped');
  const last: SessionEvent =
    ending.type === 'RunFinished' ? { type: 'RunFinished', threadId: record.header.sessionId, runId } : { ...ending };
  const to = nextSessionState(record.state, isLost ? 'lose-process' : 'end-turn');
  append(turn, [...closing, last], { move: { from: record.state, to, lease: null } });
  // Estimated once for each message: after a long answer, the next request would wait for it.
  needs.ambient.timer(0, () => void conversationTokens(turn.conversation.messages()));
}
