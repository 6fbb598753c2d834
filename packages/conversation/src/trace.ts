import { AGENT_TOOL, type SessionEvent, type StreamEvent } from './events.ts';
import { outcomeOf } from './fold-turn.ts';
import type { TurnOutcome } from './items.ts';
import { type Fields, isRecord, numberIn, textIn } from './read-fields.ts';
import { agentEnd, wasStopped } from './stopped-call.ts';
import { begunAt, clampModel, endBy, type TracedCalls } from './trace-calls.ts';
import type { TimeSpan, TraceOutcome, TraceStep } from './trace-step.ts';

export interface TurnTrace extends TimeSpan {
  /** Sequence of its RunStarted. */
  turn: number;
  outcome: 'running' | TurnOutcome;
  error: string | undefined;
  /** In the order in which they began. Empty for a turn whose steps have no times. */
  steps: TraceStep[];
}

interface Tracer extends TracedCalls {
  retry: TraceStep | undefined;
  /** Open calls by their id. */
  calls: Map<string, TraceStep>;
  args: Map<string, string>;
  /** Open requests to the user, by their id. */
  waits: Map<string, TimeSpan & Partial<TraceStep>>;
  compactions: Map<string, TraceStep>;
  /** When the last step ended: the next request to the model begins here. */
  restedAt: number;
  hasTimes: boolean;
}

type Timed<Event = StreamEvent> = Event & { storedAt: number };

/**
 * What one turn spent its time on, from the events of the turn and the times when they were stored (`storedAt`). The
 * first event is its RunStarted; events after its end are ignored. Undefined without a start or its time.
 */
export function traceTurn(events: Iterable<StreamEvent>): TurnTrace | undefined {
  let trace: TurnTrace | undefined;
  let tracer: Tracer | undefined;
  for (const event of events) {
    const { storedAt: at } = event;
    if (at === undefined) continue;
    if (!trace || !tracer) {
      if (event.type !== 'RunStarted') return undefined;
      const turn = event.sequence ?? 0;
      tracer = newTracer(at);
      trace = { turn, start: at, end: undefined, outcome: 'running', error: undefined, steps: tracer.steps };
      continue;
    }
    if (event.type === 'RunFinished' || event.type === 'RunError') {
      endTurn(trace, tracer, { ...event, storedAt: at });
      break;
    }
    take(tracer, { ...event, storedAt: at });
  }
  if (!trace || !tracer) return undefined;
  if (trace.end === undefined) completeRunning(tracer);
  trace.steps = tracer.hasTimes ? [...tracer.steps].sort((one, other) => startOf(one) - startOf(other)) : [];
  return trace;
}

const startOf = ({ start, wait }: TraceStep): number => Math.min(start, wait?.start ?? start);

function newTracer(at: number): Tracer {
  return {
    steps: [],
    model: undefined,
    lastOutputAt: at,
    retry: undefined,
    calls: new Map(),
    answer: [],
    args: new Map(),
    waits: new Map(),
    compactions: new Map(),
    restedAt: at,
    hasTimes: false,
  };
}

function addStep(tracer: Tracer, step: Pick<TraceStep, 'kind' | 'name' | 'start'> & Partial<TraceStep>): TraceStep {
  const added: TraceStep = {
    end: undefined,
    outcome: 'running',
    firstOutputAt: undefined,
    tokens: undefined,
    usd: undefined,
    wait: undefined,
    callId: undefined,
    error: undefined,
    agentId: undefined,
    task: undefined,
    ...step,
  };
  tracer.steps.push(added);
  return added;
}

function take(tracer: Tracer, event: Timed): void {
  switch (event.type) {
    case 'TextMessageStart':
    case 'TextMessageContent':
    case 'ReasoningMessageStart':
    case 'ReasoningMessageContent':
      return takeOutput(tracer, event.storedAt);
    case 'ToolCallStart':
      takeOutput(tracer, event.storedAt);
      return startCall(tracer, event);
    case 'ToolCallArgs':
      takeOutput(tracer, event.storedAt);
      if (tracer.args.has(event.toolCallId)) {
        tracer.args.set(event.toolCallId, `${tracer.args.get(event.toolCallId)}${event.delta}`);
      }
      return;
    case 'ToolCallResult':
      return endCall(tracer, event);
    case 'ApprovalRequested':
      return startWait(tracer, event.requestId, { at: event.storedAt, ...approvedCall(tracer, event.action) });
    case 'UserQuestionRequested':
      return startWait(tracer, event.requestId, { at: event.storedAt, call: event.toolCallId, name: 'question' });
    case 'ApprovalResolved':
    case 'UserQuestionResolved':
      return endWait(tracer, event.requestId, event.storedAt);
    case 'RunRedirectApplied':
    case 'QueuedMessageDelivered':
      tracer.restedAt = event.storedAt;
      return;
    case 'CUSTOM':
      return isRecord(event.value) ? CUSTOM[event.name]?.(tracer, event.value, event.storedAt) : undefined;
    default:
      return;
  }
}

const CUSTOM: Partial<Record<string, (tracer: Tracer, value: Fields, at: number) => void>> = {
  'svc.request-context': startModel,
  'svc.usage-receipt': endModel,
  'svc.provider-retry': retry,
  'svc.compaction': compaction,
  'svc.plan': (tracer, { requestId, status, toolCallId }, at) => {
    const id = textIn(requestId) ?? '';
    if (status !== 'proposed') return endWait(tracer, id, at);
    endWait(tracer, id, at);
    startWait(tracer, id, { at, call: textIn(toolCallId), name: 'plan' });
  },
  'svc.mcp-elicitation': (tracer, { requestId, state, server }, at) => {
    const id = textIn(requestId) ?? '';
    if (state === 'waiting') startWait(tracer, id, { at, call: undefined, name: textIn(server) ?? '' });
    else endWait(tracer, id, at);
  },
};

/** Stored with the first output of the call, and contains when the request was made. */
function startModel(tracer: Tracer, { at, model }: Fields, storedAt: number): void {
  tracer.hasTimes = true;
  closeModel(tracer, { end: tracer.lastOutputAt, outcome: 'done' });
  closeRetry(tracer, storedAt);
  const start = numberIn(at) ?? tracer.restedAt;
  tracer.lastOutputAt = start;
  for (const call of tracer.answer) endBy(call, start);
  tracer.model = addStep(tracer, { kind: 'model', name: textIn(model) ?? '', start });
  tracer.answer = [];
}

function takeOutput(tracer: Tracer, at: number): void {
  tracer.lastOutputAt = at;
  if (tracer.model) tracer.model.firstOutputAt ??= at;
}

function closeModel(tracer: Tracer, ending: Pick<TraceStep, 'outcome'> & { end: number; error?: string }): void {
  if (tracer.model) Object.assign(tracer.model, ending, { end: Math.max(ending.end, tracer.model.start) });
  tracer.model = undefined;
}

const RECEIPT_OUTCOMES: Partial<Record<string, TraceOutcome>> = { stopped: 'interrupted', interrupted: 'failed' };

/** The receipt of a call. One without an open call is of a question that a tool asked the model. */
function endModel(tracer: Tracer, { model, usage, declaredCost, outcome }: Fields, at: number): void {
  const step = tracer.model ?? addStep(tracer, { kind: 'model', name: '', start: Math.min(tracer.restedAt, at) });
  const used = isRecord(usage) ? usage : undefined;
  step.name = textIn(model) || step.name;
  step.usd = numberIn(declaredCost);
  step.tokens = used && {
    input: numberIn(used.prompt_tokens) ?? 0,
    output: numberIn(used.completion_tokens) ?? 0,
    cached: numberIn(used.cached_tokens),
  };
  step.outcome = RECEIPT_OUTCOMES[textIn(outcome) ?? ''] ?? 'done';
  step.end = Math.max(at, step.start);
  tracer.model = undefined;
  tracer.restedAt = at;
}

function startCall(tracer: Tracer, event: Timed<Extract<SessionEvent, { type: 'ToolCallStart' }>>): void {
  const { toolCallId: callId, toolCallName: name, parentMessageId, startedAtMs, storedAt: at } = event;
  if (startedAtMs !== undefined) tracer.hasTimes = true;
  const step = addStep(tracer, { kind: 'tool', name, start: startedAtMs ?? at, callId });
  tracer.calls.set(callId, step);
  // An external agent announces a call when it begins.
  if (parentMessageId !== undefined) tracer.answer.push(step);
  if (name === AGENT_TOOL) tracer.args.set(callId, '');
}

function endCall(tracer: Tracer, event: Timed<Extract<SessionEvent, { type: 'ToolCallResult' }>>): void {
  const { toolCallId, durationMs, isFailed, exitCode, content, storedAt: at } = event;
  const step = tracer.calls.get(toolCallId);
  if (!step) return;
  tracer.calls.delete(toolCallId);
  step.start = durationMs === undefined ? (begunAt(tracer, step) ?? at) : Math.max(step.start, at - durationMs);
  step.end = at;
  const agent = tracer.args.has(toolCallId) ? agentEnd(content) : undefined;
  step.outcome = wasStopped(event) || agent === 'stopped' ? 'interrupted' : isFailed || agent ? 'failed' : 'done';
  if (exitCode) step.error = String(exitCode);
  if (tracer.args.has(toolCallId)) step.agentId = /"childId":"([^"]+)"/.exec(content)?.[1];
  tracer.restedAt = at;
  clampModel(tracer, step);
}

/** Approvals come in the order of the calls: the first open call with this name is meant. */
function approvedCall(tracer: Tracer, { kind }: Record<string, unknown>) {
  const name = textIn(kind) ?? '';
  const call = [...tracer.calls].find(([, step]) => step.name === name && !step.wait)?.[0];
  return { call, name };
}

interface Waiting {
  at: number;
  call: string | undefined;
  name: string;
}

function startWait(tracer: Tracer, requestId: string, { at, call, name }: Waiting): void {
  const step = call === undefined ? undefined : tracer.calls.get(call);
  if (!step || step.wait) {
    tracer.waits.set(requestId, addStep(tracer, { kind: 'wait', name, start: at }));
    return;
  }
  step.wait = { start: at, end: undefined };
  tracer.waits.set(requestId, step.wait);
}

function endWait(tracer: Tracer, requestId: string, at: number): void {
  const wait = tracer.waits.get(requestId);
  if (!wait) return;
  tracer.waits.delete(requestId);
  wait.end = at;
  if (wait.outcome) wait.outcome = 'done';
  tracer.restedAt = at;
}

function retry(tracer: Tracer, { phase, model, httpStatus }: Fields, at: number): void {
  if (phase === 'waiting') {
    const error = String(numberIn(httpStatus) ?? '');
    closeModel(tracer, { end: at, outcome: 'failed', error });
    tracer.retry = addStep(tracer, { kind: 'retry', name: textIn(model) ?? '', start: at, error });
  } else if (phase === 'sending') {
    closeRetry(tracer, at);
    tracer.restedAt = at;
  }
}

function closeRetry(tracer: Tracer, at: number): void {
  if (tracer.retry) Object.assign(tracer.retry, { end: at, outcome: 'done' });
  tracer.retry = undefined;
}

function compaction(tracer: Tracer, { phase, at, isCompacted }: Fields, storedAt: number): void {
  const id = textIn(at) ?? '';
  if (phase === 'start') {
    tracer.compactions.set(id, addStep(tracer, { kind: 'compaction', name: '', start: storedAt }));
    return;
  }
  const step = tracer.compactions.get(id);
  if (phase !== 'end' || !step) return;
  Object.assign(step, { end: storedAt, outcome: isCompacted === true ? 'done' : 'failed' });
  tracer.compactions.delete(id);
  tracer.restedAt = storedAt;
}

/**
 * What events do not say yet: when open calls began, and a request to the model before its first output. A call that has
 * not begun is no step.
 */
function completeRunning(tracer: Tracer): void {
  for (const [callId, step] of tracer.calls) {
    const begun = begunAt(tracer, step);
    if (begun === undefined) tracer.steps.splice(tracer.steps.indexOf(step), 1);
    else step.start = begun;
    step.task = taskIn(tracer.args.get(callId) ?? '');
  }
  const isBusy = tracer.model ?? tracer.retry ?? tracer.calls.size + tracer.waits.size + tracer.compactions.size;
  if (!isBusy) addStep(tracer, { kind: 'model', name: '', start: tracer.restedAt });
  tracer.hasTimes = true;
}

function taskIn(args: string): string | undefined {
  try {
    const value: unknown = JSON.parse(args);
    return isRecord(value) ? textIn(value.task) : undefined;
  } catch {
    // Still being written.
    return undefined;
  }
}

type End = Timed<Extract<SessionEvent, { type: 'RunFinished' | 'RunError' }>>;

function endTurn(trace: TurnTrace, tracer: Tracer, event: End): void {
  const { storedAt: at } = event;
  trace.end = at;
  trace.outcome = event.type === 'RunError' ? outcomeOf(event.code) : 'done';
  if (event.type === 'RunError' && trace.outcome === 'failed') trace.error = event.errorClass ?? event.code;
  if (trace.outcome === 'failed' && tracer.model) {
    closeModel(tracer, { end: at, outcome: 'failed', ...(trace.error && { error: trace.error }) });
  }
  for (const step of tracer.calls.values()) step.start = begunAt(tracer, step) ?? at;
  for (const step of tracer.steps) {
    if (step.wait && step.wait.end === undefined) step.wait.end = at;
    if (step.end === undefined) Object.assign(step, { end: at, outcome: 'interrupted' });
  }
}
