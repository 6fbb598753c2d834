import type { SessionEvent } from '@fucina/shared';
import type { ElicitationStep } from '../../forms/elicitation.ts';
import type { PlanCard, Question } from '../../one-shot/dialogue.ts';
import { add, change, type Draft, find, ofThisTurn } from './draft.ts';
import type { ToolItem } from './items.ts';

type ApprovalEvent = Extract<SessionEvent, { type: 'ApprovalRequested' | 'ApprovalResolved' }>;

export function approval(draft: Draft, event: ApprovalEvent): void {
  if (event.type === 'ApprovalRequested') {
    const { requestId, azione: action } = event;
    draft.pending = { kind: 'approval', requestId, action };
    change(draft, callAskedAbout(draft, String(action.tipo)), { leave: 'waiting' });
    return;
  }
  close(draft, event.requestId);
  for (const item of ofThisTurn(draft)) {
    if (item.kind !== 'tool' || item.leave !== 'waiting') continue;
    change(draft, item, { leave: event.approvato ? 'allowed' : event.interrotto ? undefined : 'denied' });
  }
}

/** Calls are asked about one at a time and in their order: the oldest of that name that was not asked about yet. */
function callAskedAbout(draft: Draft, tool: string): ToolItem | undefined {
  let found: ToolItem | undefined;
  for (const item of ofThisTurn(draft)) {
    if (item.kind === 'tool' && item.tool === tool && !item.isOver && !item.leave) found = item;
  }
  return found;
}

type QuestionEvent = Extract<SessionEvent, { type: 'UserQuestionRequested' | 'UserQuestionResolved' }>;

export function question(draft: Draft, event: QuestionEvent): void {
  const { requestId } = event;
  if (event.type === 'UserQuestionRequested') {
    const questions = event.questions.filter(isQuestion);
    draft.pending = { kind: 'questions', requestId, questions };
    change(draft, find(draft, 'tool', event.toolCallId ?? ''), { hasCard: true });
    add(draft, { kind: 'questions', key: requestId, questions, status: 'open', answers: {} });
    return;
  }
  close(draft, requestId);
  change(draft, find(draft, 'questions', requestId), { status: event.status, answers: event.answers ?? {} });
}

function isQuestion(value: unknown): value is Question {
  const { id, question, why } = (value ?? {}) as Partial<Question>;
  return typeof id === 'string' && typeof question === 'string' && typeof why === 'string';
}

/** Each event of a plan tells it whole, as it is from then on. */
export function plan(draft: Draft, value: PlanCard & { feedback?: string; toolCallId?: string }): void {
  const { requestId, hash, content, status, feedback, toolCallId = '' } = value;
  const facts = { hash, content, status, ...(feedback !== undefined && { feedback }) };
  const known = find(draft, 'plan', requestId);
  if (known) change(draft, known, facts);
  else add(draft, { kind: 'plan', key: requestId, ...facts });
  change(draft, find(draft, 'tool', toolCallId), { hasCard: true });
  if (status === 'proposed') draft.pending = { kind: 'plan', requestId, hash, content };
  else close(draft, requestId);
}

export function elicitation(draft: Draft, step: ElicitationStep): void {
  if ('asked' in step) {
    const { requestId, server, message } = step.asked;
    draft.elicitations.push({ kind: 'elicitation', ...step.asked });
    const event = { name: 'elicitation', server, message, state: 'waiting' } as const;
    return add(draft, { kind: 'event', key: requestId, event });
  }
  const { requestId, action } = step.answered;
  draft.elicitations = draft.elicitations.filter((card) => card.requestId !== requestId);
  const known = find(draft, 'event', requestId);
  if (known?.event.name === 'elicitation') change(draft, known, { event: { ...known.event, state: action } });
}

/** None outlives the turn, nor the process that ran it. */
export function dropElicitations(draft: Draft): void {
  for (const { requestId } of draft.elicitations) elicitation(draft, { answered: { requestId, action: 'cancel' } });
}

function close(draft: Draft, requestId: string): void {
  if (draft.pending?.requestId === requestId) draft.pending = undefined;
}
