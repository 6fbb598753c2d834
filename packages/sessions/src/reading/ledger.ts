import type { SessionEvent } from '@fucina/shared';
import { CALL_WINDOW, REPETITIONS_FOR_ALARM } from '../calls/repeats.ts';
import { type BackgroundValue, CUSTOM_EVENTS } from '../state/custom-events.ts';
import type { SessionRecord } from '../store/store.ts';

/** The commands of a session with their outcome, and possible hangs. Folded from the journal on demand. */
export interface Ledger {
  /** Null, with `isRecorded` false, for a session without events: never an empty list. */
  processes: LedgerProcess[] | null;
  isRecorded: boolean;
  isInterrupted: boolean;
  thresholds: typeof THRESHOLDS;
  signals: LedgerSignal[] | null;
}

export interface LedgerProcess {
  toolCallId: string;
  tool: string;
  origin: 'agent' | 'user';
  command: string | null;
  description: string | null;
  rawArguments: string;
  startSeq: number;
  endSeq: number | null;
  startedAt: number;
  durationMs: number | null;
  runningForMs: number | null;
  outcome: 'running' | 'in-background' | 'ended' | 'failed' | 'interrupted';
  exitCode: number | null;
  /** How it was sandboxed; null when that was not recorded. */
  enforcement: string | null;
  /** Who sent it to the background; null for a foreground command. */
  background: BackgroundValue['da'] | null;
}

export type LedgerSignal =
  | {
      kind: 'silence';
      subject: 'approval' | 'process' | 'turn';
      requestId: string | null;
      call: CallFacts | null;
      silentForMs: number;
    }
  | {
      kind: 'spinning';
      call: CallFacts;
      toolCallIds: string[];
      positions: number[];
      repetitions: number;
      distinctOutcomes: number;
      isCurrent: boolean;
    };

export interface CallFacts {
  toolCallId: string;
  tool: string;
  command: string | null;
  rawArguments: string;
}

const THRESHOLDS = { silenceMs: 120_000, repetitionsForAlarm: REPETITIONS_FOR_ALARM, callWindow: CALL_WINDOW } as const;
const PROCESS_TOOLS = new Set(['shell', 'prova']);

interface Call {
  id: string;
  tool: string;
  arguments: string;
  startSeq: number;
  startedAt: number;
  lastAt: number;
  end: { seq: number; at: number; result: Extract<SessionEvent, { type: 'ToolCallResult' }> } | null;
  position: number;
  /** For a call that needed approval; null otherwise. */
  approval: 'waiting' | 'allowed' | 'refused' | null;
  background: (BackgroundValue & { startedAt: number; endedAt: number | null }) | null;
}

/** A command that the user typed. */
interface OwnCommandEntry {
  id: string;
  command: string;
  startSeq: number;
  startedAt: number;
  end: { seq: number; at: number; event: Extract<SessionEvent, { type: 'ComandoUtenteFinito' }> } | null;
}

export function readLedger(record: SessionRecord, book: CallTable, now: number): Ledger {
  const calls = book.calls();
  const isRecorded = record.lastSeq > 0;
  return {
    isRecorded,
    isInterrupted: record.state === 'interrupted',
    processes: isRecorded
      ? [
          ...calls
            .filter((call) => PROCESS_TOOLS.has(call.tool) && hasBegun(call, calls))
            .map((call) => toProcess(call, now)),
          ...book.ownCommands().map((command) => ownProcess(command, now)),
        ].sort((left, right) => left.startSeq - right.startSeq)
      : null,
    thresholds: THRESHOLDS,
    signals: isRecorded ? [...silences(record, book, now), ...spinning(calls)] : null,
  };
}

/**
 * Commands run one after the other: a call that waits for an answer or for another call has not started; a refused one
 * never did.
 */
function hasBegun(call: Call, calls: readonly Call[]): boolean {
  const { end, approval, background } = call;
  if (approval === 'waiting' || approval === 'refused') return false;
  if (end) return background !== null || !end.result.interrotto || end.result.comando !== undefined;
  return !calls.some(
    (other) =>
      other.position < call.position && !other.end && (other.approval === 'waiting' || PROCESS_TOOLS.has(other.tool)),
  );
}

/** Every tool call and user command of a session, folded from its events. */
export interface CallTable {
  apply(event: SessionEvent, place: { seq: number; at: number }): void;
  calls(): Call[];
  /** Epoch ms of the last event, 0 before the first. */
  lastAt(): number;
  ownCommands(): OwnCommandEntry[];
}

export function createCallTable(): CallTable {
  const calls = new Map<string, Call>();
  const own = new Map<string, OwnCommandEntry>();
  let lastAt = 0;

  const open = (event: Extract<SessionEvent, { type: 'ToolCallStart' }>, { seq, at }: { seq: number; at: number }) =>
    calls.set(event.toolCallId, {
      id: event.toolCallId,
      tool: event.toolCallName,
      arguments: '',
      startSeq: seq,
      startedAt: event.avviatoA ?? at,
      lastAt: at,
      end: null,
      position: calls.size,
      approval: null,
      background: null,
    });
  const ask = (tool: unknown): void => {
    // Approvals come one at a time, in the order of the calls.
    const call = [...calls.values()].find((one) => one.tool === tool && !one.end && one.approval === null);
    if (call) call.approval = 'waiting';
  };
  const answer = (isApproved: boolean, at: number): void => {
    for (const call of calls.values()) {
      if (call.approval !== 'waiting') continue;
      call.approval = isApproved ? 'allowed' : 'refused';
      // The duration excludes the wait for an answer.
      if (isApproved) call.startedAt = call.lastAt = at;
    }
  };
  const end = (call: Call, facts: NonNullable<Call['end']>): void => {
    const all = [...calls.values()];
    const queued = all.filter((other) => !other.end && !hasBegun(other, all));
    call.end = facts;
    for (const next of queued) if (hasBegun(next, all)) next.startedAt = next.lastAt = facts.at;
  };
  const noteBackground = (value: BackgroundValue, at: number): void => {
    const call = calls.get(value.toolCallId);
    if (!call) return;
    if (value.fase === 'inizio') call.background = { ...value, startedAt: at, endedAt: null };
    else if (call.background) call.background = { ...call.background, codice: value.codice, endedAt: at };
  };

  return {
    calls: () => [...calls.values()],
    lastAt: () => lastAt,
    ownCommands: () => [...own.values()],
    apply(event, place) {
      const { seq, at } = place;
      lastAt = at;
      switch (event.type) {
        case 'ToolCallStart':
          return void open(event, place);
        case 'ToolCallArgs':
        case 'ToolCallOutput':
        case 'ToolCallResult': {
          const call = calls.get(event.toolCallId);
          if (!call) return;
          call.lastAt = at;
          if (event.type === 'ToolCallArgs') call.arguments += event.delta;
          if (event.type === 'ToolCallResult') end(call, { seq, at, result: event });
          return;
        }
        case 'ApprovalRequested':
          return ask(event.azione.tipo);
        case 'ApprovalResolved':
          return answer(event.approvato, at);
        case 'ComandoUtenteIniziato': {
          const { comandoId: id, comando: command } = event;
          return void own.set(id, { id, command, startSeq: seq, startedAt: at, end: null });
        }
        case 'ComandoUtenteFinito': {
          const entry = own.get(event.comandoId);
          if (entry) entry.end = { seq, at, event };
          return;
        }
        case 'CUSTOM':
          if (event.name === CUSTOM_EVENTS.background) noteBackground(event.value as BackgroundValue, at);
          return;
        default:
          return;
      }
    },
  };
}

function toProcess(call: Call, now: number): LedgerProcess {
  const { end, background } = call;
  const result = end?.result;
  const isBehind = background !== null && background.endedAt === null;
  const exitCode = (background ? background.codice : result?.exitCode) ?? null;
  const endedAt = background ? background.endedAt : (end?.at ?? null);
  const ownMs = background ? undefined : result?.durataMs;
  return {
    toolCallId: call.id,
    tool: call.tool,
    origin: 'agent',
    command: result?.comando ?? argument(call, 'comando'),
    description: argument(call, 'descrizione'),
    rawArguments: call.arguments,
    startSeq: call.startSeq,
    endSeq: isBehind ? null : (end?.seq ?? null),
    startedAt: call.startedAt,
    durationMs: endedAt === null ? null : (ownMs ?? endedAt - call.startedAt),
    runningForMs: endedAt === null ? now - call.startedAt : null,
    outcome: isBehind ? 'in-background' : outcomeOf(end !== null, exitCode),
    exitCode,
    enforcement: result?.enforcement ?? null,
    background: background?.da ?? null,
  };
}

function ownProcess({ id, command, startSeq, startedAt, end }: OwnCommandEntry, now: number): LedgerProcess {
  const exitCode = end?.event.codice ?? null;
  return {
    toolCallId: id,
    tool: 'shell',
    origin: 'user',
    command,
    description: null,
    rawArguments: '',
    startSeq,
    endSeq: end?.seq ?? null,
    startedAt,
    durationMs: end && end.at - startedAt,
    runningForMs: end ? null : now - startedAt,
    outcome: outcomeOf(end !== null, exitCode),
    exitCode,
    enforcement: end?.event.enforcement ?? null,
    background: null,
  };
}

function outcomeOf(hasEnded: boolean, exitCode: number | null): LedgerProcess['outcome'] {
  if (!hasEnded) return 'running';
  if (exitCode === null) return 'interrupted';
  return exitCode === 0 ? 'ended' : 'failed';
}

function argument(call: Call, name: string): string | null {
  try {
    const value = (JSON.parse(call.arguments || '{}') as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : null;
  } catch {
    // The model wrote invalid JSON: the raw text is shown instead.
    return null;
  }
}

function factsOf(call: Call): CallFacts {
  return { toolCallId: call.id, tool: call.tool, command: argument(call, 'comando'), rawArguments: call.arguments };
}

function silences({ fold, state }: SessionRecord, book: CallTable, now: number): LedgerSignal[] {
  const approval = fold.pendingApproval;
  const silence = (subject: 'approval' | 'process' | 'turn', since: number, more: object): LedgerSignal[] => {
    const silentForMs = now - since;
    if (silentForMs < THRESHOLDS.silenceMs) return [];
    return [{ kind: 'silence', subject, requestId: null, call: null, silentForMs, ...more }];
  };
  if (approval) return silence('approval', approval.at, { requestId: approval.requestId });
  // A question and a plan wait without a time limit.
  if (state !== 'running' || fold.pendingQuestion || fold.pendingPlan) return [];
  const open = book.calls().filter(({ end }) => !end);
  if (!open.length) return silence('turn', book.lastAt(), {});
  return open.flatMap((call) => silence('process', call.lastAt, { call: factsOf(call) }));
}

/** The same tool with the same arguments several times in the last calls. */
function spinning(calls: readonly Call[]): LedgerSignal[] {
  const window = calls.slice(-THRESHOLDS.callWindow);
  const groups = new Map<string, Call[]>();
  for (const call of window) {
    const key = `${call.tool} ${call.arguments}`;
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()]
    .filter((group) => group.length >= THRESHOLDS.repetitionsForAlarm)
    .map((group) => ({
      kind: 'spinning' as const,
      call: factsOf(group[0] as Call),
      toolCallIds: group.map(({ id }) => id),
      positions: group.map(({ position }) => position),
      repetitions: group.length,
      distinctOutcomes: new Set(group.map(({ end }) => end?.result.content)).size,
      isCurrent: group.at(-1) === window.at(-1),
    }));
}
