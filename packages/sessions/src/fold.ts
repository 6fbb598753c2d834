import type { SessionEvent, UsageState } from '@fucina/shared';

/**
 * What the list row needs to know of a session's events, kept beside the session and updated in the transaction that
 * appends them. Small on purpose: text never enters it.
 */
export interface SessionFold {
  runs: number;
  /** Sequence of the last RunStarted. */
  runStartSeq: number;
  /** True between RunStarted and RunFinished or RunError. */
  isTurnOpen: boolean;
  outcome: TurnOutcome | null;
  closeCode: string | null;
  /** Epoch ms of the last assistant message or end of turn. */
  lastReplyAt: number | null;
  pendingApproval: { requestId: string; at: number; action: Record<string, unknown> } | null;
  pendingQuestion: string | null;
  pendingPlan: string | null;
  /** Sequences of the RunStarted of turns the person stopped. */
  stoppedTurns: number[];
  usage: UsageState | null;
  /** Whole conversation: every turn's last usage added up, plus the turn in progress. */
  total: UsageTotal | null;
  /** Tool calls and messages begun and not ended: what an interruption has to close. */
  openCalls: string[];
  openText: string | null;
  openReasoning: string | null;
}

export interface UsageTotal {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number | null;
  /** Model calls. */
  steps: number;
  /** Turns that measured anything, and of those the ones that said how much came from the cache. */
  runs: number;
  runsWithCache: number;
}

export type TurnOutcome = 'finished' | 'steps-used-up' | 'stopped' | 'error' | 'interrupted';

export const EMPTY_FOLD: SessionFold = {
  runs: 0,
  runStartSeq: 0,
  isTurnOpen: false,
  outcome: null,
  closeCode: null,
  lastReplyAt: null,
  pendingApproval: null,
  pendingQuestion: null,
  pendingPlan: null,
  stoppedTurns: [],
  usage: null,
  total: null,
  openCalls: [],
  openText: null,
  openReasoning: null,
};

const EMPTY_TOTAL: UsageTotal = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: null,
  steps: 0,
  runs: 0,
  runsWithCache: 0,
};

/** Pure. Answers the same object when the event changes nothing, so that the caller can skip the write. */
export function foldEvent(fold: SessionFold, event: SessionEvent, place: { seq: number; at: number }): SessionFold {
  switch (event.type) {
    case 'RunStarted':
      return {
        ...fold,
        runs: fold.runs + 1,
        runStartSeq: place.seq,
        isTurnOpen: true,
        outcome: null,
        closeCode: null,
        usage: null,
      };
    case 'RunFinished':
      return { ...closeTurn(fold, place.at), outcome: 'finished' };
    case 'RunError':
      return foldRunError(fold, event, place.at);
    case 'TextMessageStart':
      return { ...fold, openText: event.messageId };
    case 'TextMessageEnd':
      return { ...fold, openText: null, lastReplyAt: place.at };
    case 'ReasoningMessageStart':
      return { ...fold, openReasoning: event.messageId };
    case 'ReasoningMessageEnd':
      return { ...fold, openReasoning: null };
    case 'ToolCallStart':
      return { ...fold, openCalls: [...fold.openCalls, event.toolCallId] };
    case 'ToolCallResult':
      return { ...fold, openCalls: fold.openCalls.filter((id) => id !== event.toolCallId) };
    case 'StateDelta':
      return foldUsage(fold, event.delta);
    case 'ApprovalRequested':
      return { ...fold, pendingApproval: { requestId: event.requestId, at: place.at, action: event.azione } };
    case 'ApprovalResolved':
      return { ...fold, pendingApproval: null };
    case 'UserQuestionRequested':
      return { ...fold, pendingQuestion: event.requestId };
    case 'UserQuestionResolved':
      return { ...fold, pendingQuestion: null };
    default:
      return fold;
  }
}

function closeTurn(fold: SessionFold, at: number): SessionFold {
  return {
    ...fold,
    isTurnOpen: false,
    lastReplyAt: at,
    pendingApproval: null,
    openCalls: [],
    openText: null,
    openReasoning: null,
  };
}

const OUTCOME_OF_CODE: Record<string, TurnOutcome> = {
  fermato: 'stopped',
  'giri-esauriti': 'steps-used-up',
  SESSION_INTERRUPTED: 'interrupted',
};

function foldRunError(fold: SessionFold, event: { code?: string }, at: number): SessionFold {
  const outcome = OUTCOME_OF_CODE[event.code ?? ''] ?? 'error';
  const closed = { ...closeTurn(fold, at), outcome, closeCode: event.code ?? null };
  return outcome === 'stopped' ? { ...closed, stoppedTurns: [...fold.stoppedTurns, fold.runStartSeq] } : closed;
}

function foldUsage(fold: SessionFold, delta: readonly { path: string; value?: unknown }[]): SessionFold {
  const usage = delta.find((patch) => patch.path === '/usage')?.value as UsageState | undefined;
  if (!usage) return fold;
  const before = fold.usage;
  const total = fold.total ?? EMPTY_TOTAL;
  const cachedStep = usage.cached_tokens === null ? null : usage.cached_tokens - (before?.cached_tokens ?? 0);
  return {
    ...fold,
    usage,
    total: {
      promptTokens: total.promptTokens + usage.prompt_tokens - (before?.prompt_tokens ?? 0),
      completionTokens: total.completionTokens + usage.completion_tokens - (before?.completion_tokens ?? 0),
      cachedTokens: cachedStep === null ? total.cachedTokens : (total.cachedTokens ?? 0) + cachedStep,
      steps: total.steps + usage.giri - (before?.giri ?? 0),
      runs: total.runs + (before ? 0 : 1),
      runsWithCache:
        total.runsWithCache + (usage.cached_tokens !== null && (before?.cached_tokens ?? null) === null ? 1 : 0),
    },
  };
}
