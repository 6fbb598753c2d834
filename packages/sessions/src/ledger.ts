import type { SessionEvent } from '@fucina/shared';
import type { SessionRecord } from './store.ts';

/** The commands a session ran, with their outcome, and what looks stuck. Folded from the journal on demand. */
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
  origin: 'agent' | 'person';
  command: string | null;
  description: string | null;
  rawArguments: string;
  startSeq: number;
  endSeq: number | null;
  startedAt: number;
  durationMs: number | null;
  runningForMs: number | null;
  outcome: 'running' | 'ended' | 'failed' | 'interrupted';
  exitCode: number | null;
}

export type LedgerSignal =
  | {
      kind: 'silence';
      subject: 'approval' | 'process';
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

const THRESHOLDS = { silenceMs: 120_000, repetitionsForAlarm: 3, callWindow: 12 } as const;
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
}

export function readLedger(record: SessionRecord, book: CallBook, now: number): Ledger {
  const calls = book.calls();
  const isRecorded = record.lastSeq > 0;
  return {
    isRecorded,
    isInterrupted: record.state === 'interrupted',
    processes: isRecorded
      ? calls.filter(({ tool }) => PROCESS_TOOLS.has(tool)).map((call) => toProcess(call, now))
      : null,
    thresholds: THRESHOLDS,
    signals: isRecorded ? [...silences(record, calls, now), ...spinning(calls)] : null,
  };
}

/** Every tool call of a session, folded from its events. */
export interface CallBook {
  apply(event: SessionEvent, place: { seq: number; at: number }): void;
  calls(): Call[];
}

export function createCallBook(): CallBook {
  const calls = new Map<string, Call>();
  return {
    calls: () => [...calls.values()],
    apply(event, { seq, at }) {
      if (event.type === 'ToolCallStart') {
        const base = { id: event.toolCallId, tool: event.toolCallName, arguments: '', position: calls.size };
        calls.set(event.toolCallId, { ...base, startSeq: seq, startedAt: event.avviatoA ?? at, lastAt: at, end: null });
      }
      if (event.type !== 'ToolCallArgs' && event.type !== 'ToolCallOutput' && event.type !== 'ToolCallResult') return;
      const call = calls.get(event.toolCallId);
      if (!call) return;
      call.lastAt = at;
      if (event.type === 'ToolCallArgs') call.arguments += event.delta;
      if (event.type === 'ToolCallResult') call.end = { seq, at, result: event };
    },
  };
}

function toProcess(call: Call, now: number): LedgerProcess {
  const { end } = call;
  const result = end?.result;
  return {
    toolCallId: call.id,
    tool: call.tool,
    origin: 'agent',
    command: result?.comando ?? argument(call, 'comando'),
    description: argument(call, 'descrizione'),
    rawArguments: call.arguments,
    startSeq: call.startSeq,
    endSeq: end?.seq ?? null,
    startedAt: call.startedAt,
    durationMs: end ? (result?.durataMs ?? end.at - call.startedAt) : null,
    runningForMs: end ? null : now - call.startedAt,
    outcome: !result
      ? 'running'
      : result.exitCode === 0
        ? 'ended'
        : result.exitCode === undefined
          ? 'interrupted'
          : 'failed',
    exitCode: result?.exitCode ?? null,
  };
}

function argument(call: Call, name: string): string | null {
  try {
    const value = (JSON.parse(call.arguments || '{}') as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : null;
  } catch {
    // The model wrote broken JSON: the raw text is shown instead.
    return null;
  }
}

function factsOf(call: Call): CallFacts {
  return { toolCallId: call.id, tool: call.tool, command: argument(call, 'comando'), rawArguments: call.arguments };
}

function silences(record: SessionRecord, calls: readonly Call[], now: number): LedgerSignal[] {
  const approval = record.fold.pendingApproval;
  if (approval) {
    const silentForMs = now - approval.at;
    const isLong = silentForMs >= THRESHOLDS.silenceMs;
    return isLong
      ? [{ kind: 'silence', subject: 'approval', requestId: approval.requestId, call: null, silentForMs }]
      : [];
  }
  return calls
    .filter((call) => !call.end && record.state === 'running' && now - call.lastAt >= THRESHOLDS.silenceMs)
    .map((call) => ({
      kind: 'silence' as const,
      subject: 'process' as const,
      requestId: null,
      call: factsOf(call),
      silentForMs: now - call.lastAt,
    }));
}

/** The same tool with the same arguments several times within the last calls. */
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
