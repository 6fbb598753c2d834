import { add, type Draft, edit, ofThisTurn } from './draft.ts';
import type { PlanValue, Question, StreamEvent, ToolAction } from './events.ts';
import { begin } from './fold-tools.ts';
import type { ApprovalItem, ElicitationItem, PlanDecision, TurnOutcome } from './items.ts';

const wait = (draft: Draft, requestId: string): void => {
  draft.waiting = [...draft.waiting, requestId];
};
const waitNoMore = (draft: Draft, requestId: string): void => {
  draft.waiting = draft.waiting.filter((id) => id !== requestId);
};

type ApprovalEvent = Extract<StreamEvent, { type: 'ApprovalRequested' | 'ApprovalResolved' }>;

export function approval(draft: Draft, event: ApprovalEvent): void {
  if (event.type === 'ApprovalResolved') {
    closeApproval(draft, event.requestId, event.isApproved ? 'allowed' : event.isInterrupted ? 'gone' : 'denied');
    return;
  }
  const { requestId } = event;
  const action: ToolAction = { kind: '', ...event.action };
  let call: string | undefined;
  for (const item of ofThisTurn(draft)) {
    if (item.kind !== 'tool' || item.isOver || item.approval) continue;
    // Approvals come one at a time, in the order of the calls: the first call of this name without an approval is
    // meant.
    if (item.name === action.kind) call = item.key;
  }
  const held = call === undefined ? undefined : edit(draft, 'tool', call);
  begin(held, event.storedAt);
  if (held) held.approval = 'waiting';
  add(draft, { kind: 'approval', key: requestId, turn: draft.turn, action, state: 'waiting', call });
  wait(draft, requestId);
}

function closeApproval(draft: Draft, requestId: string, state: ApprovalItem['state']): void {
  waitNoMore(draft, requestId);
  const item = edit(draft, 'approval', requestId);
  if (!item) return;
  item.state = state;
  const call = item.call === undefined ? undefined : edit(draft, 'tool', item.call);
  if (call) call.approval = state;
}

type QuestionEvent = Extract<StreamEvent, { type: 'UserQuestionRequested' | 'UserQuestionResolved' }>;

export function question(draft: Draft, event: QuestionEvent): void {
  if (event.type === 'UserQuestionRequested') {
    const { requestId, toolCallId } = event;
    const questions = event.questions.filter(isQuestion).map((one) => ({ ...one, why: one.why ?? '' }));
    showCard(draft, toolCallId);
    add(draft, {
      kind: 'question',
      key: requestId,
      turn: draft.turn,
      questions,
      state: 'waiting',
      answers: {},
      notes: {},
      call: toolCallId,
    });
    wait(draft, requestId);
    return;
  }
  waitNoMore(draft, event.requestId);
  const item = edit(draft, 'question', event.requestId);
  if (!item) return;
  item.state = event.status;
  item.answers = event.answers ?? {};
  item.notes = event.notes ?? {};
}

function isQuestion(value: unknown): value is Question {
  const { id, question } = (value ?? {}) as Partial<Question>;
  return typeof id === 'string' && typeof question === 'string';
}

function showCard(draft: Draft, toolCallId: string | undefined): void {
  const call = toolCallId === undefined ? undefined : edit(draft, 'tool', toolCallId);
  begin(call, undefined);
  if (call) call.hasCard = true;
}

/** Each plan event contains the whole current plan. */
export function plan(draft: Draft, value: PlanValue): void {
  const { requestId, status } = value;
  if (typeof requestId !== 'string' || typeof value.content !== 'string') return;
  const facts = {
    revision: value.revision,
    hash: value.hash,
    content: value.content,
    state: status === 'proposed' ? ('waiting' as const) : status,
    decision: value.decision as PlanDecision | undefined,
    feedback: value.feedback,
    newSessionId: value.newSessionId,
    call: value.toolCallId,
  };
  const known = edit(draft, 'plan', requestId);
  if (known) Object.assign(known, facts);
  else add(draft, { kind: 'plan', key: requestId, turn: draft.turn, ...facts });
  showCard(draft, value.toolCallId);
  waitNoMore(draft, requestId);
  if (status === 'proposed') wait(draft, requestId);
}

export function elicitation(draft: Draft, value: Record<string, unknown>): void {
  const { requestId } = value;
  if (typeof requestId !== 'string') return;
  if (value.state === 'waiting') {
    add(draft, {
      kind: 'elicitation',
      key: requestId,
      turn: draft.turn,
      server: String(value.server),
      message: String(value.message),
      ...(typeof value.url === 'string' ? { form: undefined, url: value.url } : { form: value.schema, url: undefined }),
      sampling:
        typeof value.model === 'string' ? { model: value.model, maxTokens: Number(value.maxTokens) } : undefined,
      state: 'waiting',
    });
    wait(draft, requestId);
    return;
  }
  closeElicitation(draft, requestId, value.action === 'accept' || value.action === 'decline' ? value.action : 'cancel');
}

function closeElicitation(draft: Draft, requestId: string, state: ElicitationItem['state']): void {
  waitNoMore(draft, requestId);
  const item = edit(draft, 'elicitation', requestId);
  if (item) item.state = state;
}

/**
 * An approval never outlives its turn; questions and plans survive an interruption, and their answer resumes the turn.
 */
export function closeCardsOfTurn(draft: Draft, outcome: TurnOutcome): void {
  for (const requestId of draft.waiting) {
    if (draft.places.has(`approval:${requestId}`)) closeApproval(draft, requestId, 'gone');
    else if (draft.places.has(`elicitation:${requestId}`)) closeElicitation(draft, requestId, 'cancel');
    else if (outcome !== 'interrupted') {
      waitNoMore(draft, requestId);
      const open = edit(draft, 'question', requestId) ?? edit(draft, 'plan', requestId);
      if (open?.state === 'waiting') open.state = 'cancelled';
    }
  }
}
