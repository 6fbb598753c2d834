import type { Ambient, SessionEvent } from '@fucina/shared';
import { CUSTOM_EVENTS, customEvent, type PlanValue } from '../state/custom-events.ts';
import type { Journal } from '../store/journal.ts';
import type { SessionRecord } from '../store/store.ts';

export interface ClosingNeeds {
  ambient: Ambient;
  journal: Pick<Journal, 'read'>;
}

/**
 * `stopped`: by the user, and everything open is closed. `lost`: the process ended; requests that can be answered later
 * stay open.
 */
export type ClosingCause = 'stopped' | 'lost';

const NO_RESULT: Record<ClosingCause, string> = {
  stopped: 'This call was stopped before it finished.',
  lost: 'This call was interrupted: the program stopped before it finished.',
};

/** Closes everything that a turn left open: every call gets a result, every message its end, every card its answer. */
export function closingEvents(record: SessionRecord, needs: ClosingNeeds, cause: ClosingCause): SessionEvent[] {
  const { fold } = record;
  const events: SessionEvent[] = [];
  if (fold.openReasoning) events.push({ type: 'ReasoningMessageEnd', messageId: fold.openReasoning });
  if (fold.openText) events.push({ type: 'TextMessageEnd', messageId: fold.openText });
  if (fold.pendingApproval) {
    events.push(withdrawnApproval(fold.pendingApproval.requestId));
  }
  const leftOpen = cause === 'lost' ? restorableCalls(record) : new Set<string>();
  events.push(...closeCards(record, needs, leftOpen), ...closeRedirect(record, cause));
  for (const toolCallId of fold.openCalls.filter((id) => !leftOpen.has(id))) {
    events.push(interruptedCall(toolCallId, { messageId: needs.ambient.newId(), content: NO_RESULT[cause] }));
  }
  return events;
}

/** No answer: the turn ended or was redirected first. */
export function withdrawnApproval(requestId: string): SessionEvent {
  return { type: 'ApprovalResolved', requestId, approvato: false, interrotto: true };
}

/** The result of a call that did not run or did not finish. */
export function interruptedCall(toolCallId: string, answer: { messageId: string; content: string }): SessionEvent {
  return { type: 'ToolCallResult', toolCallId, role: 'tool', ...answer, fallito: true, interrotto: true };
}

/**
 * Before a turn that starts with a message instead of the answer: a card from before the restart belongs to no turn.
 */
export function closeRestored(record: SessionRecord, needs: ClosingNeeds): SessionEvent[] {
  const calls = [...restorableCalls(record)];
  return [
    ...closeCards(record, needs, new Set()),
    ...calls.map(
      (toolCallId): SessionEvent => ({
        type: 'ToolCallResult',
        messageId: needs.ambient.newId(),
        toolCallId,
        content: 'The user did not answer and continued with something else.',
        role: 'tool',
      }),
    ),
  ];
}

function restorableCalls({ fold }: SessionRecord): Set<string> {
  const cards = [fold.pendingQuestion, fold.pendingPlan].filter((card) => card?.isRestorable);
  return new Set(cards.map((card) => card?.toolCallId ?? ''));
}

function closeCards(record: SessionRecord, needs: ClosingNeeds, leftOpen: ReadonlySet<string>): SessionEvent[] {
  const { pendingQuestion: question, pendingPlan: plan } = record.fold;
  const at = new Date(needs.ambient.now()).toISOString();
  const events: SessionEvent[] = [];
  if (question && !leftOpen.has(question.toolCallId)) events.push(cancelledQuestion(question.requestId, at));
  if (plan && !leftOpen.has(plan.toolCallId)) {
    const asked = needs.journal.read(record, plan.seq);
    const value = asked?.type === 'CUSTOM' ? (asked.value as PlanValue) : undefined;
    if (value) events.push(customEvent(CUSTOM_EVENTS.plan, { ...value, status: 'cancelled', da: 'sistema', at }));
  }
  return events;
}

export function cancelledQuestion(requestId: string, at: string): SessionEvent {
  return { type: 'UserQuestionResolved', requestId, status: 'cancelled', at, da: 'sistema' };
}

function closeRedirect({ fold }: SessionRecord, cause: ClosingCause): SessionEvent[] {
  const { redirectId } = fold;
  if (!redirectId) return [];
  if (cause === 'stopped') return [{ type: 'RunRedirectCancelled', redirectId }];
  const message = 'The program stopped before this correction could be applied.';
  return [{ type: 'RunRedirectFailed', redirectId, code: 'SESSION_INTERRUPTED', message }];
}
