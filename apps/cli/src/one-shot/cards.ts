import type { Services } from '@fucina/host';
import { isAppError, type SessionEvent } from '@fucina/shared';
import { type Elicitation, elicitationOf } from '../forms/elicitation.ts';
import type { Asker } from './approvals.ts';
import { type PlanCard, planOf, type Question } from './dialogue.ts';

/** Puts what a turn asks to whoever can answer, while its events go on. */
export function createAnswerer({
  services,
  asker,
  sessionId,
}: {
  services: Services;
  asker: Asker;
  sessionId: string;
}): (event: SessionEvent) => void {
  const { sessions, sessionExtensions } = services;
  const open = new Map<string, AbortController>();

  const put = (requestId: string, ask: (signal: AbortSignal) => Promise<void>): void => {
    const closing = new AbortController();
    open.set(requestId, closing);
    ask(closing.signal).catch((error: unknown) => {
      // Closed while it was being answered: its event says how. Else a request left open would hold the turn.
      if (!NOT_PENDING.has((error as { code?: string }).code ?? '')) void sessions.turns.stop(sessionId);
    });
  };

  const approve = async (requestId: string, action: Record<string, unknown>, signal: AbortSignal): Promise<void> => {
    const folder = await sessions.folderOf(sessionId);
    const before = await presentText(services, sessionId, action);
    const leave = await asker.ask({ requestId, action, folder, before, signal });
    if (signal.aborted) return;
    const tool = leave.isGiven ? leave.wholeSession : undefined;
    if (tool) {
      await sessions.changeSettings(sessionId, { mergedToolPermissions: { [tool]: 'always' }, keepsDenied: true });
    }
    await sessions.requests.approve(sessionId, { requestId, isApproved: leave.isGiven });
  };

  const answer = async (requestId: string, questions: readonly Question[], signal: AbortSignal): Promise<void> => {
    const answers = await asker.answer({ requestId, questions, signal });
    if (signal.aborted) return;
    await sessions.requests.answer(sessionId, {
      requestId,
      ...(answers ? { status: 'answered', answers } : { status: 'skipped' }),
    });
  };

  const decide = async ({ requestId, hash, content }: PlanCard, signal: AbortSignal): Promise<void> => {
    const choice = await asker.decide({ requestId, content, signal });
    if (signal.aborted) return;
    // Nobody there to approve it: the plan is what was asked for.
    if (!choice) return sessions.turns.stop(sessionId);
    await sessions.requests.decide(sessionId, { requestId, hash, ...choice });
  };

  const fill = async (asked: Elicitation, signal: AbortSignal): Promise<void> => {
    const answer = await asker.fill(asked, signal);
    if (signal.aborted) return;
    try {
      await sessionExtensions.answer(sessionId, asked.requestId, answer);
    } catch (error) {
      if (!isAppError(error, 'ELICITATION_ANSWER_INVALID')) throw error;
      await sessionExtensions.answer(sessionId, asked.requestId, { action: 'decline' });
    }
  };

  return (event) => {
    const step = elicitationOf(event);
    if (step && 'asked' in step) return put(step.asked.requestId, (signal) => fill(step.asked, signal));
    if (step) return open.get(step.answered.requestId)?.abort();
    const plan = planOf(event);
    if (event.type === 'ApprovalResolved' || event.type === 'UserQuestionResolved') open.get(event.requestId)?.abort();
    else if (plan && plan.status !== 'proposed') open.get(plan.requestId)?.abort();
    else if (plan) put(plan.requestId, (signal) => decide(plan, signal));
    else if (event.type === 'ApprovalRequested') {
      put(event.requestId, (signal) => approve(event.requestId, event.azione, signal));
    } else if (event.type === 'UserQuestionRequested') {
      put(event.requestId, (signal) => answer(event.requestId, event.questions as Question[], signal));
    }
  };
}

/** Closed some other way meanwhile. */
export const NOT_PENDING: ReadonlySet<string> = new Set([
  'APPROVAL_NOT_PENDING',
  'QUESTION_NOT_PENDING',
  'PLAN_NOT_PENDING',
  'ELICITATION_NOT_PENDING',
]);

/** The file's text as it is now: null when it does not exist, undefined when it cannot be shown. */
export async function presentText(
  { sessionFiles }: Services,
  sessionId: string,
  { percorso, contenuto }: Record<string, unknown>,
): Promise<string | null | undefined> {
  if (typeof percorso !== 'string' || typeof contenuto !== 'string') return undefined;
  try {
    return (await sessionFiles.preview(sessionId, percorso)).text;
  } catch (error) {
    return (error as { code?: string }).code === 'FILE_NOT_FOUND' ? null : undefined;
  }
}
