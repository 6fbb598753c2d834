import type { PlanValue, SessionEvent } from '../wire/events.ts';
import { add, type Draft, edit, ofThisTurn } from './draft.ts';
import type { ApprovalItem, ElicitationItem, PlanItem, TurnOutcome } from './items.ts';

const wait = (draft: Draft, requestId: string): void => {
  draft.waiting = [...draft.waiting, requestId];
};
const waitNoMore = (draft: Draft, requestId: string): void => {
  draft.waiting = draft.waiting.filter((id) => id !== requestId);
};

type ApprovalEvent = Extract<SessionEvent, { type: 'ApprovalRequested' | 'ApprovalResolved' }>;

export function approval(draft: Draft, event: ApprovalEvent): void {
  if (event.type === 'ApprovalResolved') {
    closeApproval(draft, event.requestId, event.approvato ? 'allowed' : event.interrotto ? 'gone' : 'denied');
    return;
  }
  const { requestId, azione } = event;
  let call: string | undefined;
  for (const item of ofThisTurn(draft)) {
    if (item.kind !== 'tool' || item.isOver || item.leave) continue;
    // Asked one at a time, in the order of the calls: the first that was not asked about yet has the name.
    if (item.name === azione.tipo) call = item.key;
  }
  const held = call === undefined ? undefined : edit(draft, 'tool', call);
  if (held) held.leave = 'waiting';
  add(draft, { kind: 'approval', key: requestId, turn: draft.turn, action: azione, state: 'waiting', call });
  wait(draft, requestId);
}

function closeApproval(draft: Draft, requestId: string, state: ApprovalItem['state']): void {
  waitNoMore(draft, requestId);
  const item = edit(draft, 'approval', requestId);
  if (!item) return;
  item.state = state;
  const call = item.call === undefined ? undefined : edit(draft, 'tool', item.call);
  if (call) call.leave = state;
}

type QuestionEvent = Extract<SessionEvent, { type: 'UserQuestionRequested' | 'UserQuestionResolved' }>;

export function question(draft: Draft, event: QuestionEvent): void {
  if (event.type === 'UserQuestionRequested') {
    const { requestId, questions, toolCallId } = event;
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

/** Each event of a plan tells it whole, as it is from then on. */
export function plan(draft: Draft, value: PlanValue): void {
  const { requestId, status } = value;
  const facts = {
    revision: value.revision,
    hash: value.hash,
    content: value.content,
    state: status === 'proposed' ? ('waiting' as const) : status,
    decision: value.decisione,
    feedback: value.feedback,
    newSessionId: value.nuovaSessionId,
    call: value.toolCallId,
  };
  const known = edit(draft, 'plan', requestId) as PlanItem | undefined;
  if (known) Object.assign(known, facts);
  else add(draft, { kind: 'plan', key: requestId, turn: draft.turn, ...facts });
  waitNoMore(draft, requestId);
  if (status === 'proposed') wait(draft, requestId);
}

export function elicitation(draft: Draft, value: Record<string, unknown>): void {
  const requestId = String(value.requestId);
  if (value.stato === 'in-attesa') {
    add(draft, {
      kind: 'elicitation',
      key: requestId,
      turn: draft.turn,
      server: String(value.server),
      message: String(value.messaggio),
      form: value.schema,
      url: typeof value.url === 'string' ? value.url : undefined,
      state: 'waiting',
    });
    wait(draft, requestId);
    return;
  }
  closeElicitation(draft, requestId, value.azione === 'accept' || value.azione === 'decline' ? value.azione : 'cancel');
}

function closeElicitation(draft: Draft, requestId: string, state: ElicitationItem['state']): void {
  waitNoMore(draft, requestId);
  const item = edit(draft, 'elicitation', requestId);
  if (item) item.state = state;
}

/** A permission never outlives its turn; questions and plans survive an interruption, and their answer goes on. */
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
