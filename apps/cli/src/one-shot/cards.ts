import type { Services } from '@fucina/host';
import { isAppError, type SessionEvent } from '@fucina/shared';
import { type Elicitation, elicitationOf } from '../forms/elicitation.ts';
import type { PendingCard } from '../screen/conversation/state.ts';
import type { Asker } from './approvals.ts';
import { planOf, type Question } from './dialogue.ts';

export interface Answering {
  services: Services;
  asker: Asker;
  /** The session that asks. */
  sessionId: string;
}

/** Puts what a turn asks to whoever can answer, while its events go on. */
export function createAnswerer(answering: Answering): (event: SessionEvent) => void {
  const open = new Map<string, AbortController>();
  return (event) => {
    const told = cardIn(event);
    if (!told) return;
    if ('closed' in told) return open.get(told.closed)?.abort();
    const closing = new AbortController();
    open.set(told.card.requestId, closing);
    void answerCard(told.card, answering, closing.signal);
  };
}

/** Puts one card to whoever can answer; `signal` aborts when it was closed some other way. Never rejects. */
export async function answerCard(card: PendingCard, answering: Answering, signal: AbortSignal): Promise<void> {
  try {
    await answer(card, answering, signal);
  } catch (error) {
    const { services, sessionId } = answering;
    // Closed while it was being answered: its event says how. Else a request left open would hold the turn.
    if (!NOT_PENDING.has((error as { code?: string }).code ?? '')) await services.sessions.turns.stop(sessionId);
  }
}

/** A card that an event opens, or closes. */
function cardIn(event: SessionEvent): { card: PendingCard } | { closed: string } | undefined {
  const step = elicitationOf(event);
  if (step)
    return 'asked' in step ? { card: { kind: 'elicitation', ...step.asked } } : { closed: step.answered.requestId };
  const plan = planOf(event);
  if (plan) return plan.status === 'proposed' ? { card: { kind: 'plan', ...plan } } : { closed: plan.requestId };
  switch (event.type) {
    case 'ApprovalRequested':
      return { card: { kind: 'approval', requestId: event.requestId, action: event.azione } };
    case 'UserQuestionRequested':
      return { card: { kind: 'questions', requestId: event.requestId, questions: event.questions as Question[] } };
    case 'ApprovalResolved':
    case 'UserQuestionResolved':
      return { closed: event.requestId };
    default:
      return undefined;
  }
}

async function answer(card: PendingCard, answering: Answering, signal: AbortSignal): Promise<void> {
  switch (card.kind) {
    case 'approval':
      return approve(card, answering, signal);
    case 'questions':
      return reply(card, answering, signal);
    case 'plan':
      return decide(card, answering, signal);
    case 'elicitation':
      return fill(card, answering, signal);
  }
}

type CardOf<Kind extends PendingCard['kind']> = Extract<PendingCard, { kind: Kind }>;

async function approve(card: CardOf<'approval'>, answering: Answering, signal: AbortSignal): Promise<void> {
  const { services, asker, sessionId } = answering;
  const { sessions } = services;
  const { requestId, action } = card;
  const folder = await sessions.folderOf(sessionId);
  const before = await presentText(services, sessionId, action);
  const leave = await asker.ask({ requestId, action, folder, before, signal });
  if (signal.aborted) return;
  const tool = leave.isGiven ? leave.wholeSession : undefined;
  if (tool)
    await sessions.changeSettings(sessionId, { mergedToolPermissions: { [tool]: 'always' }, keepsDenied: true });
  await sessions.requests.approve(sessionId, { requestId, isApproved: leave.isGiven });
}

async function reply(card: CardOf<'questions'>, answering: Answering, signal: AbortSignal): Promise<void> {
  const { services, asker, sessionId } = answering;
  const { requestId, questions } = card;
  const answers = await asker.answer({ requestId, questions, signal });
  if (signal.aborted) return;
  await services.sessions.requests.answer(sessionId, {
    requestId,
    ...(answers ? { status: 'answered', answers } : { status: 'skipped' }),
  });
}

async function decide(card: CardOf<'plan'>, answering: Answering, signal: AbortSignal): Promise<void> {
  const { services, asker, sessionId } = answering;
  const { requestId, hash, content } = card;
  const choice = await asker.decide({ requestId, content, signal });
  if (signal.aborted) return;
  // Nobody there to approve it: the plan is what was asked for.
  if (!choice) return services.sessions.turns.stop(sessionId);
  await services.sessions.requests.decide(sessionId, { requestId, hash, ...choice });
}

async function fill(asked: Elicitation, answering: Answering, signal: AbortSignal): Promise<void> {
  const { services, asker, sessionId } = answering;
  const given = await asker.fill(asked, signal);
  if (signal.aborted) return;
  try {
    await services.sessionExtensions.answer(sessionId, asked.requestId, given);
  } catch (error) {
    if (!isAppError(error, 'ELICITATION_ANSWER_INVALID')) throw error;
    await services.sessionExtensions.answer(sessionId, asked.requestId, { action: 'decline' });
  }
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
