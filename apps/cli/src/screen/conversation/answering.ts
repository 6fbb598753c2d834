import type { Services } from '@fucina/host';
import { projectRule, storedServerAnswer } from '../../asked-action.ts';
import { answeredSubject, sessionTool } from '../../one-shot/action-view.ts';
import { NOT_PENDING_CODES, presentText } from '../../one-shot/cards.ts';
import { saveRules } from '../../permissions/saved-rules.ts';
import type { Terminal } from '../../terminal.ts';
import { serverAnswerOf } from '../requests/approval-panel.ts';
import type { ApprovalChoice, OpenRequest, RequestAnswer } from '../workbench.ts';
import type { PendingCard } from './state.ts';

/** A card, and the session that asks: this one, or that of a sub-agent. */
export interface AskedCard {
  sessionId: string;
  /** The conversation on the screen. */
  answeredFrom: string;
  request: OpenRequest;
}

/** The card with the information that the user needs. */
export async function readyRequest(services: Services, sessionId: string, card: PendingCard): Promise<OpenRequest> {
  if (card.kind !== 'approval') return card;
  const folder = await services.sessions.folderOf(sessionId);
  const before = await presentText(services, sessionId, card.action);
  return { ...card, folder, before };
}

export interface AnsweringNeeds {
  terminal: Terminal;
  services: Services;
  /** The project folder. */
  dir: string;
}

/** Sends the user's answer. A card that was closed in another way needs none. */
export async function sendAnswer(needs: AnsweringNeeds, asked: AskedCard, answer: RequestAnswer): Promise<void> {
  try {
    await give(needs, asked, answer);
  } catch (error) {
    if (!NOT_PENDING_CODES.has((error as { code?: string }).code ?? '')) throw error;
  }
}

/** The automatic answer in a mode that never asks. Undefined: ask anyway. */
export function unattendedAnswer(kind: PendingCard['kind']): RequestAnswer | undefined {
  if (kind === 'approval') return { kind, choice: 'deny-once' };
  return kind === 'elicitation' ? { kind, answer: { action: 'decline' } } : undefined;
}

async function give(needs: AnsweringNeeds, asked: AskedCard, answer: RequestAnswer): Promise<void> {
  const { requests, turns } = needs.services.sessions;
  const { sessionId, answeredFrom, request } = asked;
  const { requestId } = request;
  if (request.kind === 'approval' && answer.kind === 'approval') {
    const isApproved = answer.choice !== 'deny-once' && answer.choice !== 'deny-always';
    await keep(needs, sessionId, { request, choice: answer.choice });
    const scope = answer.choice === 'session' && answeredSubject(request.action) ? ('path' as const) : undefined;
    return requests.approve(sessionId, { requestId, isApproved, answeredFrom, ...(scope && { scope }) });
  }
  if (request.kind === 'questions' && answer.kind === 'questions') {
    const { answers } = answer;
    const given = answers ? ({ status: 'answered', answers } as const) : ({ status: 'skipped' } as const);
    return requests.answer(sessionId, { requestId, answeredFrom, ...given });
  }
  if (request.kind === 'plan' && answer.kind === 'plan') {
    if (!answer.choice) return turns.stop(sessionId);
    return requests.decide(sessionId, { requestId, hash: request.hash, ...answer.choice });
  }
  if (answer.kind === 'elicitation')
    return needs.services.sessionExtensions.answer(sessionId, requestId, answer.answer);
}

interface Kept {
  request: Extract<OpenRequest, { kind: 'approval' }>;
  choice: ApprovalChoice;
}

/** The part of the answer that applies beyond this call. */
async function keep(needs: AnsweringNeeds, sessionId: string, { request, choice }: Kept): Promise<void> {
  const { action, folder } = request;
  const tool = sessionTool(action);
  if (choice === 'session' && tool) {
    const patch = { mergedToolPermissions: { [tool]: 'always' as const }, keepsDenied: true };
    await needs.services.sessions.changeSettings(sessionId, patch);
  }
  const rule = choice === 'everywhere' ? projectRule(action) : undefined;
  if (rule !== undefined) await needs.services.sandbox.addRule({ text: rule });
  const ofServer = serverAnswerOf(action, choice);
  if (ofServer) {
    const { server, choice: stored } = storedServerAnswer(action, ofServer);
    return needs.services.mcp.answerCalls({ id: server, sessionId }, stored);
  }
  const verdict = choice === 'always' ? 'allow' : choice === 'deny-always' ? 'deny' : undefined;
  if (verdict) await saveRules(needs, { action, folder, verdict });
}
