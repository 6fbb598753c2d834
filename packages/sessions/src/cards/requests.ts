import { type Ambient, isAppError, type SessionEvent } from '@fucina/shared';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { answerDigest } from '../state/digest.ts';
import { grantedHosts, grantedReads } from '../state/grants.ts';
import type { Journal } from '../store/journal.ts';
import type { SessionRecord } from '../store/store.ts';
import type { TurnNeeds } from '../turn/turn-context.ts';
import type { Turns } from '../turn/turns.ts';
import { askNetwork, type NetworkRequest, networkRequestAction } from './network-card.ts';
import { judgePageRequest, type PageRequest, type PageVerdict } from './page-request.ts';
import type { PlanAnswer, PlanCard, Plans } from './plans.ts';
import { checkAnswer, type QuestionAnswer, type QuestionCard, questionResult } from './questions.ts';

/** The pending card of a session. */
export type PendingCard =
  | { kind: 'approval'; requestId: string; action: Record<string, unknown> }
  | ({ kind: 'question' } & QuestionCard)
  | ({ kind: 'plan' } & PlanCard);

export interface ApprovalAnswer {
  requestId: string;
  isApproved: boolean;
  /**
   * Allows the same tool for the rest of the session in the file's folder, or on that file. `path` of a card about a
   * host allows the host, of one about a command the `prefissi` that it shows, or this very line.
   */
  scope?: 'folder' | 'path';
  /** The session where the user answers: the one that asks, or one of its ancestors. */
  answeredFrom?: string;
}

/** Requests of a session to the user, and the answers: on disk before they take effect. */
export interface Requests {
  pending(sessionId: string): Promise<PendingCard | null>;
  /**
   * APPROVAL_NOT_PENDING when it was answered, stopped, or asked before a restart; APPROVAL_ANSWER_FORBIDDEN from
   * another session.
   */
  approve(sessionId: string, answer: ApprovalAnswer): Promise<void>;
  /**
   * The same answer again has the same result; a different one is QUESTION_NOT_PENDING. After a restart an answer
   * resumes the turn. QUESTION_ANSWER_NOT_SAVED closes the question of a running turn, and leaves an older one open.
   */
  answer(sessionId: string, answer: QuestionAnswer & { answeredFrom?: string }): Promise<void>;
  /** PLAN_STALE for another hash than the displayed one, PLAN_DECISION_NOT_SAVED with the plan still open. */
  decide(sessionId: string, answer: PlanAnswer): Promise<void>;
  /**
   * Asks with a card in the running turn whether a command may reach a host. Returns `deny` at once if no turn runs or
   * no user is available. The signal withdraws the card.
   */
  askNetwork(sessionId: string, request: NetworkRequest, signal: AbortSignal): Promise<'once' | 'session' | 'deny'>;
  /**
   * The network policy for what a page of the driven browser sends while the agent uses it. A card in the running turn,
   * if it needs one and may show it; the signal withdraws it.
   */
  judgePage(sessionId: string, request: PageRequest, signal: AbortSignal): Promise<PageVerdict>;
  /** What the user allowed of the network for this session: hosts with their port, or everything. NOT_FOUND. */
  networkAnswers(sessionId: string): { hosts: readonly string[]; asksNothing: boolean };
  /** Paths outside the project that the user lets the session's commands read; empty for an unknown session. */
  grantedReads(sessionId: string): readonly string[];
}

export interface RequestsNeeds {
  ambient: Ambient;
  journal: Journal;
  registry: Registry;
  turns: Turns;
  plans: Plans;
  isUnattended(record: SessionRecord): boolean;
  readsAnyAddress(record: SessionRecord): boolean;
  reach?: TurnNeeds['reach'];
}

export function createRequests(needs: RequestsNeeds): Requests {
  const { registry } = needs;
  return {
    pending: async (sessionId) => pendingCard(registry.get(sessionId), needs),

    async approve(sessionId, { requestId, isApproved, scope, answeredFrom }) {
      const record = registry.get(sessionId);
      if (answeredFrom !== undefined && !mayAnswer(registry, record, answeredFrom)) {
        throw sessionsError('APPROVAL_ANSWER_FORBIDDEN');
      }
      const turn = registry.live.get(sessionId);
      if (!turn || record.fold.pendingApproval?.requestId !== requestId) throw sessionsError('APPROVAL_NOT_PENDING');
      const ambito = scope && (scope === 'folder' ? ('cartella' as const) : ('percorso' as const));
      turn.append([{ type: 'ApprovalResolved', requestId, approvato: isApproved, ...(ambito && { ambito }) }]);
      turn.cardSlot.answer(requestId, { kind: 'approval', isApproved });
    },

    async answer(sessionId, { answeredFrom, ...answer }) {
      const record = registry.get(sessionId);
      if (answeredFrom !== undefined && !mayAnswer(registry, record, answeredFrom)) {
        throw sessionsError('QUESTION_ANSWER_FORBIDDEN');
      }
      const { pendingQuestion, answered } = record.fold;
      const before = answered.find(({ requestId }) => requestId === answer.requestId);
      if (before?.digest === answerDigest(answer)) return;
      if (pendingQuestion?.requestId !== answer.requestId || registry.runsElsewhere(record))
        throw sessionsError('QUESTION_NOT_PENDING');
      const card = readQuestion(record, needs);
      if (!card) throw sessionsError('QUESTION_NOT_PENDING');
      checkAnswer(card.questions, answer);
      await giveAnswer({ record, card, answer, toolCallId: pendingQuestion.toolCallId }, needs);
    },

    decide: (sessionId, answer) => needs.plans.decide(sessionId, answer),

    askNetwork: (sessionId, request, signal) =>
      askNetwork(needs, { sessionId, action: networkRequestAction(request) }, signal),

    judgePage: (sessionId, request, signal) => judgePageRequest(needs, { sessionId, ...request }, signal),

    networkAnswers(sessionId) {
      const record = registry.get(sessionId);
      const asksNothing = record.settings.permissions === 'Full access' || needs.readsAnyAddress(record);
      return { hosts: grantedHosts(record.fold.grants), asksNothing };
    },

    grantedReads(sessionId) {
      try {
        return grantedReads(registry.get(sessionId).fold.grants);
      } catch (error) {
        if (isAppError(error, 'NOT_FOUND')) return [];
        throw error;
      }
    },
  };
}

interface GivenAnswer {
  record: SessionRecord;
  card: QuestionCard;
  answer: QuestionAnswer;
  toolCallId: string;
}

async function giveAnswer(given: GivenAnswer, { ambient, registry, turns }: RequestsNeeds): Promise<void> {
  const { record, card, answer, toolCallId } = given;
  const { sessionId } = record.header;
  const { requestId, status, answers, skipped, notes } = answer;
  const resolved: SessionEvent = {
    type: 'UserQuestionResolved',
    requestId,
    status,
    ...(answers && { answers }),
    ...(skipped?.length && { skipped: [...skipped] }),
    ...(notes && { notes }),
    at: new Date(ambient.now()).toISOString(),
    da: 'persona',
  };
  const turn = registry.live.get(sessionId);
  if (turn) {
    const isSaved = saved(() => turn.append([resolved]));
    turn.cardSlot.answer(requestId, { kind: 'question', ...(isSaved ? answer : { status: 'cancelled' }) });
    if (!isSaved) throw sessionsError('QUESTION_ANSWER_NOT_SAVED');
    if (status === 'expired') turn.stop('user');
    return;
  }
  turns.assertOpen();
  const result: SessionEvent = {
    type: 'ToolCallResult',
    messageId: ambient.newId(),
    toolCallId,
    role: 'tool',
    content: questionResult(card.questions, answer),
  };
  if (!saved(() => registry.append(record, [resolved, result]))) throw sessionsError('QUESTION_ANSWER_NOT_SAVED');
  if (status === 'answered' || status === 'skipped') await turns.resume(sessionId);
}

/** False when writing to the disk failed. */
function saved(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (isAppError(error, 'SESSION_STORE_WRITE_FAILED')) return false;
    throw error;
  }
}

function pendingCard(record: SessionRecord, needs: RequestsNeeds): PendingCard | null {
  const { pendingApproval } = record.fold;
  if (pendingApproval) {
    return { kind: 'approval', requestId: pendingApproval.requestId, action: pendingApproval.action };
  }
  const question = readQuestion(record, needs);
  if (question) return { kind: 'question', ...question };
  const plan = needs.plans.read(record);
  return plan ? { kind: 'plan', ...plan } : null;
}

function readQuestion(record: SessionRecord, { journal }: RequestsNeeds): QuestionCard | undefined {
  const { pendingQuestion } = record.fold;
  const asked = pendingQuestion && journal.read(record, pendingQuestion.seq);
  if (asked?.type !== 'UserQuestionRequested') return undefined;
  return { requestId: asked.requestId, questions: asked.questions as QuestionCard['questions'] };
}

/** The card of a child session may be answered there or from one of its ancestors only. */
function mayAnswer(registry: Registry, record: SessionRecord, answeredFrom: string): boolean {
  const parentOf = new Map(registry.list().map(({ header }) => [header.sessionId, header.parentId]));
  for (let id: string | null | undefined = record.header.sessionId; id; id = parentOf.get(id)) {
    if (id === answeredFrom) return true;
  }
  return false;
}
