import { type Conversation, cardOf } from '@fucina/conversation';
import type { Services } from '@fucina/host';
import { isAppError } from '@fucina/shared';
import { projectRule, storedServerAnswer } from '../asked-action.ts';
import type { Elicitation } from '../forms/elicitation.ts';
import { asPending, type PendingCard } from '../screen/conversation/state.ts';
import type { Approver } from './approvals.ts';

export interface Answering {
  services: Services;
  asker: Approver;
  /** The session that asks. */
  sessionId: string;
}

/** Shows the requests of a turn while its conversation continues. */
export function createAnswerer(answering: Answering): (conversation: Conversation) => void {
  const open = new Map<string, AbortController>();
  return (conversation) => {
    for (const [requestId, closing] of open) if (!conversation.waiting.includes(requestId)) closing.abort();
    for (const requestId of conversation.waiting) {
      const card = open.has(requestId) ? undefined : cardOf(conversation, requestId);
      if (!card) continue;
      const closing = new AbortController();
      open.set(requestId, closing);
      void answerCard(asPending(card), answering, closing.signal);
    }
  };
}

/** Shows one card; `signal` aborts when it was closed in another way. Never rejects. */
export async function answerCard(card: PendingCard, answering: Answering, signal: AbortSignal): Promise<void> {
  try {
    await answer(card, answering, signal);
  } catch (error) {
    const { services, sessionId } = answering;
    // Closed while it was being answered: its event contains the outcome. Otherwise an open request would block the
    // turn.
    if (!NOT_PENDING_CODES.has((error as { code?: string }).code ?? '')) await services.sessions.turns.stop(sessionId);
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
  if (tool && tool !== 'host' && tool !== 'command')
    await sessions.changeSettings(sessionId, { mergedToolPermissions: { [tool]: 'always' }, keepsDenied: true });
  if (leave.isGiven && leave.forProject) {
    const text = projectRule(action);
    if (text !== undefined) await services.sandbox.addRule({ text, sessionId });
  }
  if (leave.isGiven && leave.ofServer) {
    const { server, choice } = storedServerAnswer(action, leave.ofServer);
    await services.mcp.answerCalls({ id: server, sessionId }, choice);
  }
  const scope = tool === 'host' || tool === 'command' ? ('path' as const) : undefined;
  await sessions.requests.approve(sessionId, { requestId, isApproved: leave.isGiven, ...(scope && { scope }) });
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
  // There is no user to approve it: the plan itself is the result.
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

/** Closed in another way in the meantime. */
export const NOT_PENDING_CODES: ReadonlySet<string> = new Set([
  'APPROVAL_NOT_PENDING',
  'QUESTION_NOT_PENDING',
  'PLAN_NOT_PENDING',
  'ELICITATION_NOT_PENDING',
]);

/** The file's current text: null when it does not exist, undefined when it cannot be shown. */
export async function presentText(
  { sessionFiles }: Services,
  sessionId: string,
  { path, content }: Record<string, unknown>,
): Promise<string | null | undefined> {
  if (typeof path !== 'string' || typeof content !== 'string') return undefined;
  try {
    return (await sessionFiles.preview(sessionId, path)).text;
  } catch (error) {
    return (error as { code?: string }).code === 'FILE_NOT_FOUND' ? null : undefined;
  }
}
