import type { CardItem, Question, ToolAction } from '@fucina/conversation';
import type { PendingCard } from '../../../wire/records.ts';

/** The card of a session whose events are not followed here; undefined for kinds that need its events. */
export function itemOf(pending: PendingCard): CardItem | undefined {
  const row = { key: pending.requestId, turn: 0, call: undefined };
  if (pending.action) return { ...row, kind: 'approval', action: pending.action as ToolAction, state: 'waiting' };
  if (pending.questions) {
    const questions = pending.questions as Question[];
    return { ...row, kind: 'question', questions, state: 'waiting', answers: {}, notes: {} };
  }
  if (!pending.plan) return undefined;
  const { revision, hash, content } = pending.plan;
  const open = { decision: undefined, feedback: undefined, newSessionId: undefined };
  return { ...row, ...open, kind: 'plan', revision, hash, content, state: 'waiting' };
}
