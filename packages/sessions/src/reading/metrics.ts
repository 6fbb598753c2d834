import type { SessionEvent } from '@fucina/shared';
import type { SessionFold, TurnOutcome } from '../state/fold.ts';
import type { UsageTotal } from '../state/usage.ts';
import type { SessionRecord } from '../store/store.ts';

/** Measurements of a session. A missing one is null with its reason, never zero. */
export interface SessionMetrics {
  isRecorded: boolean;
  /** Model calls of the whole session that reported their usage; null when none did. */
  modelCalls: number | null;
  /** Of the last turn. */
  cache: CacheUse | null;
  sessionCache: SessionCache | null;
  firstToken: FirstToken | null;
  closing: { reason: TurnOutcome | null; code: string | null; isOpen: boolean } | null;
  isInterrupted: boolean;
  /** Reasoning message id → ms. */
  reasoningMs: Record<string, number>;
  reasoningRunningForMs: Record<string, number>;
  eventAge: { sequence: number; ms: number } | null;
}

export interface CacheUse {
  fraction: number | null;
  promptTokens: number;
  cachedTokens: number | null;
  runs: number;
}

export interface SessionCache extends CacheUse {
  runsWithCache: number;
}

export interface FirstToken {
  ms: number | null;
  kind: 'reasoning' | 'text' | 'tool' | null;
  firstVisibleMs: number | null;
  runningForMs: number | null;
}

export function sessionCache(total: UsageTotal | null): SessionCache | null {
  if (!total) return null;
  const { promptTokens, cachedTokens, runs, runsWithCache } = total;
  return { fraction: fractionOf(cachedTokens, promptTokens), promptTokens, cachedTokens, runs, runsWithCache };
}

function fractionOf(cached: number | null, prompt: number): number | null {
  return cached === null || prompt === 0 ? null : cached / prompt;
}

export function sessionMetrics(record: SessionRecord, meter: Meter, now: number): Omit<SessionMetrics, 'eventAge'> {
  const { fold } = record;
  const measured = meter.read(now);
  return {
    isRecorded: record.lastSeq > 0,
    modelCalls: fold.total?.steps ?? null,
    cache: fold.usage && {
      fraction: fractionOf(fold.usage.cached_tokens, fold.usage.prompt_tokens),
      promptTokens: fold.usage.prompt_tokens,
      cachedTokens: fold.usage.cached_tokens,
      runs: fold.usage.giri,
    },
    sessionCache: sessionCache(fold.total),
    closing: record.lastSeq > 0 ? closingOf(fold) : null,
    isInterrupted: record.state === 'interrupted',
    ...measured,
  };
}

function closingOf(fold: SessionFold): NonNullable<SessionMetrics['closing']> {
  return { reason: fold.outcome, code: fold.closeCode, isOpen: fold.isTurnOpen };
}

/** Timings of a session, folded from its events. */
export interface Meter {
  apply(event: SessionEvent, at: number): void;
  read(now: number): Pick<SessionMetrics, 'firstToken' | 'reasoningMs' | 'reasoningRunningForMs'>;
}

export function createMeter(): Meter {
  const reasoning = new Map<string, { from: number; to: number | null }>();
  let startedAt = 0;
  let first: { at: number; kind: 'reasoning' | 'text' | 'tool' } | null = null;
  let firstVisibleAt: number | null = null;
  let isOpen = false;
  /** Time spent on the user's answers before the first text: the model was not called then. */
  let answeringMs = 0;
  let askedAt: number | null = null;

  const apply = (event: SessionEvent, at: number): void => {
    switch (event.type) {
      case 'RunStarted':
        startedAt = at;
        first = null;
        firstVisibleAt = null;
        isOpen = true;
        answeringMs = 0;
        askedAt = null;
        return;
      case 'ApprovalRequested':
      case 'UserQuestionRequested':
        askedAt = at;
        return;
      case 'ApprovalResolved':
      case 'UserQuestionResolved':
        if (askedAt !== null && firstVisibleAt === null) answeringMs += at - askedAt;
        askedAt = null;
        return;
      case 'RunFinished':
      case 'RunError':
        isOpen = false;
        return;
      case 'ReasoningMessageStart':
        first ??= { at, kind: 'reasoning' };
        reasoning.set(event.messageId, { from: at, to: null });
        return;
      case 'ReasoningMessageEnd': {
        const block = reasoning.get(event.messageId);
        if (block) block.to = at;
        return;
      }
      case 'TextMessageStart':
        first ??= { at, kind: 'text' };
        firstVisibleAt ??= at;
        return;
      case 'ToolCallStart':
        first ??= { at, kind: 'tool' };
        return;
      default:
        return;
    }
  };

  const read = (now: number): Pick<SessionMetrics, 'firstToken' | 'reasoningMs' | 'reasoningRunningForMs'> => ({
    firstToken: startedAt
      ? {
          ms: first && first.at - startedAt,
          kind: first && first.kind,
          firstVisibleMs: firstVisibleAt && firstVisibleAt - startedAt - answeringMs,
          runningForMs: isOpen && !first ? now - startedAt : null,
        }
      : null,
    reasoningMs: Object.fromEntries(
      [...reasoning].flatMap(([id, { from, to }]) => (to === null ? [] : [[id, to - from]])),
    ),
    reasoningRunningForMs: Object.fromEntries(
      [...reasoning].flatMap(([id, { from, to }]) => (to === null ? [[id, now - from]] : [])),
    ),
  });

  return { apply, read };
}
