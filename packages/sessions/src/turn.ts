import type {
  Ambient,
  ModelClient,
  ModelFailure,
  ModelUsage,
  SessionEvent,
  Tool,
  ToolSpec,
  UsageState,
} from '@fucina/shared';
import { type ApprovalDesk, createApprovalDesk } from './approvals.ts';
import type { Conversation } from './conversation.ts';
import type { ChatImages } from './images.ts';
import type { Journal } from './journal.ts';
import { type ModelStep, readModelStep } from './model-step.ts';
import { isRetryable, MAX_ATTEMPTS, retryNotice, waitBeforeRetry } from './retry.ts';
import { nextSessionState } from './session-state.ts';
import type { AppendExtras, SessionRecord } from './store.ts';
import { systemPrompt } from './system-prompt.ts';
import { runToolCalls } from './tool-step.ts';
import { withImages } from './with-images.ts';

/** Model calls of one turn before it ends honestly with `giri-esauriti`. */
const MAX_STEPS = 200;

export interface TurnNeeds {
  ambient: Ambient;
  journal: Journal;
  model: ModelClient;
  images: ChatImages;
  tools(): Promise<readonly Tool[]>;
  toolSpecs(): Promise<readonly ToolSpec[]>;
  isControlFile(path: string): boolean | Promise<boolean>;
}

/** A turn in progress, in this process. */
export interface LiveTurn {
  readonly record: SessionRecord;
  readonly runId: string;
  readonly desk: ApprovalDesk;
  /** Commands running now, by tool call id. */
  readonly processes: Map<string, () => void>;
  /** `person` ends the turn; `shutdown` leaves the session interrupted, ready to be resumed. */
  stop(by: 'person' | 'shutdown'): void;
  /** Settles when the turn's last event is committed. */
  readonly done: Promise<void>;
}

interface TurnState {
  needs: TurnNeeds;
  record: SessionRecord;
  runId: string;
  conversation: Conversation;
  desk: ApprovalDesk;
  processes: Map<string, () => void>;
  seen: Map<string, string>;
  usedCallIds: Set<string>;
  signal: AbortSignal;
  usage: UsageState;
}

/** The RunStarted of this turn is already in the journal and in the conversation. */
export function startTurn(needs: TurnNeeds, record: SessionRecord, memory: TurnMemory): LiveTurn {
  const controller = new AbortController();
  const desk = createApprovalDesk();
  const processes = new Map<string, () => void>();
  const state: TurnState = {
    needs,
    record,
    runId: memory.runId,
    conversation: memory.conversation,
    seen: memory.seen,
    usedCallIds: memory.usedCallIds,
    desk,
    processes,
    signal: controller.signal,
    usage: { prompt_tokens: 0, completion_tokens: 0, cached_tokens: null, giri: 0 },
  };
  const done = runTurn(state);
  return { record, runId: memory.runId, desk, processes, stop: (by) => controller.abort(by), done };
}

/** What a session remembers between its turns while this process keeps it loaded. */
export interface TurnMemory {
  runId: string;
  conversation: Conversation;
  /** Files read so far → SHA-256 of what was read. */
  seen: Map<string, string>;
  usedCallIds: Set<string>;
  /** Last event the conversation holds. */
  throughSeq: number;
}

type Ending = { type: 'RunFinished' } | { type: 'RunError'; message: string; code: string; classe?: string };

async function runTurn(state: TurnState): Promise<void> {
  const { needs, record } = state;
  let ending: Ending;
  try {
    ending = await takeSteps(state);
  } catch (error) {
    needs.ambient.log.error('turn.failed', { sessionId: record.header.sessionId, runId: state.runId, error });
    ending = { type: 'RunError', code: 'internal-error', message: 'An internal error ended the turn.' };
  }
  try {
    endTurn(state, ending);
  } catch (error) {
    // The disk refused the last event: the session stays leased and is found interrupted at the next start.
    needs.ambient.log.error('turn.end-not-saved', { sessionId: record.header.sessionId, error });
  }
}

async function takeSteps(state: TurnState): Promise<Ending> {
  const { needs, record, signal } = state;
  const system = await systemPrompt(record.header, record.settings);
  const tools = new Map((await needs.tools()).map((tool) => [tool.name, tool]));
  const specs = await needs.toolSpecs();
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const answer = await askModel(state, { step, system, specs });
    if (signal.aborted) return stopped(signal);
    if (answer.failure) return failed(answer.failure);
    if (!answer.toolCalls.length) return { type: 'RunFinished' };
    await runToolCalls(answer.toolCalls, {
      ambient: needs.ambient,
      images: needs.images,
      tools,
      isControlFile: needs.isControlFile,
      desk: state.desk,
      place: { ...record.header },
      settings: () => record.settings,
      seen: state.seen,
      append: (events) => append(state, events),
      emit: (events) => needs.journal.gather(record, events),
      onProcess: (toolCallId, stop) => {
        state.processes.set(toolCallId, stop);
        return () => state.processes.delete(toolCallId);
      },
      signal,
    });
    if (signal.aborted) return stopped(signal);
  }
  return {
    type: 'RunError',
    code: 'giri-esauriti',
    message: `The turn reached its limit of ${MAX_STEPS} model calls.`,
  };
}

function stopped(signal: AbortSignal): Ending {
  if (signal.reason === 'person') return { type: 'RunError', code: 'fermato', message: 'Stopped by the person.' };
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

function failed({ code, message, class: failureClass }: ModelFailure): Ending {
  const classe = CLASS_ON_WIRE[failureClass];
  return { type: 'RunError', code, message, ...(classe && { classe }) };
}

interface StepRequest {
  step: number;
  system: readonly string[];
  specs: readonly ToolSpec[];
}

/** One model call, made again on transient failures that happened before any of the answer was seen. */
async function askModel(state: TurnState, request: StepRequest): Promise<ModelStep> {
  const { needs, record, signal } = state;
  const notice = {
    runId: state.runId,
    threadId: record.header.sessionId,
    requestId: needs.ambient.newId(),
    step: request.step,
    model: record.settings.model ?? '',
  };
  let httpStatus = 0;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await callModel(state, request);
    const { failure } = answer;
    if (attempt > 1) {
      append(state, [retryNotice({ ...notice, phase: 'fine', attempt, httpStatus, waitMs: 0, retryAt: null })]);
    }
    if (!failure || answer.hasOutput || !isRetryable(failure) || attempt === MAX_ATTEMPTS) return answer;
    httpStatus = failure.httpStatus ?? 503;
    const next = { ...notice, attempt: attempt + 1, httpStatus };
    const waitMs = waitBeforeRetry(failure, attempt, needs.ambient);
    append(state, [retryNotice({ ...next, phase: 'attesa', waitMs, retryAt: needs.ambient.now() + waitMs })]);
    if (!(await waited(needs.ambient, waitMs, signal))) return answer;
    append(state, [retryNotice({ ...next, phase: 'invio', waitMs: 0, retryAt: null })]);
  }
}

/** False when the turn was stopped while it waited. */
async function waited(ambient: Ambient, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await ambient.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

async function callModel(state: TurnState, { system, specs }: StepRequest): Promise<ModelStep> {
  const { needs, record, signal, conversation } = state;
  const { model, reasoning } = record.settings;
  const emit = (events: readonly SessionEvent[]): void => {
    for (const event of events) conversation.apply(event);
    needs.journal.gather(record, events);
  };
  const stream = needs.model.stream(
    {
      model: model ?? '',
      system,
      messages: await withImages(conversation.messages(), needs.images.read),
      tools: specs,
      ...(reasoning && { reasoning }),
      cacheKey: record.header.sessionId,
    },
    signal,
  );
  const answer = await readModelStep(stream, { ambient: needs.ambient, emit, usedCallIds: state.usedCallIds });
  for (const proof of answer.proofs) conversation.learn(proof);
  const usage = answer.usage ? [usageEvent(state, answer.usage)] : [];
  append(state, usage, { proofs: answer.proofs });
  return answer;
}

function usageEvent(state: TurnState, call: ModelUsage): SessionEvent {
  const { usage } = state;
  state.usage = {
    prompt_tokens: usage.prompt_tokens + call.promptTokens,
    completion_tokens: usage.completion_tokens + call.completionTokens,
    cached_tokens: call.cachedTokens === null ? usage.cached_tokens : (usage.cached_tokens ?? 0) + call.cachedTokens,
    giri: usage.giri + 1,
  };
  return { type: 'StateDelta', delta: [{ op: 'replace', path: '/usage', value: state.usage }] };
}

function append(
  { needs, record, conversation }: TurnState,
  events: readonly SessionEvent[],
  extras?: AppendExtras,
): void {
  for (const event of events) conversation.apply(event);
  if (events.length || extras?.proofs?.length) needs.journal.append(record, events, extras);
}

function endTurn(state: TurnState, ending: Ending): void {
  const { record, runId } = state;
  const { sessionId } = record.header;
  state.needs.journal.flush(record.key);
  const closing = closingEvents(record, state.needs.ambient, 'This call was stopped before it finished.');
  const last: SessionEvent =
    ending.type === 'RunFinished' ? { type: 'RunFinished', threadId: sessionId, runId } : { ...ending };
  const isLost = ending.type === 'RunError' && ending.code === 'SESSION_INTERRUPTED';
  const to = nextSessionState(record.state, isLost ? 'lose-process' : 'end-turn');
  append(state, [...closing, last], { move: { from: record.state, to, lease: null } });
}

/** What an interruption leaves open, closed: every call gets a result, every message its end. */
export function closingEvents({ fold }: SessionRecord, ambient: Ambient, why: string): SessionEvent[] {
  const events: SessionEvent[] = [];
  if (fold.openReasoning) events.push({ type: 'ReasoningMessageEnd', messageId: fold.openReasoning });
  if (fold.openText) events.push({ type: 'TextMessageEnd', messageId: fold.openText });
  if (fold.pendingApproval) {
    events.push({ type: 'ApprovalResolved', requestId: fold.pendingApproval.requestId, approvato: false });
  }
  for (const toolCallId of fold.openCalls) {
    events.push({ type: 'ToolCallResult', messageId: ambient.newId(), toolCallId, content: why, role: 'tool' });
  }
  return events;
}
