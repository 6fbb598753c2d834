import type { CardItem, Question, ToolAction } from '@fucina/conversation';
import type { PendingCard } from '../../../wire/records.ts';

/** The card of a session whose events are not followed here; undefined for kinds that need its events. */
export function itemOf(pending: PendingCard): CardItem | undefined {
  const row = { key: pending.requestId, turn: 0, call: undefined };
  if (pending.azione) return { ...row, kind: 'approval', action: pending.azione as ToolAction, state: 'waiting' };
  if (pending.questions) {
    const questions = pending.questions as Question[];
    return { ...row, kind: 'question', questions, state: 'waiting', answers: {}, notes: {} };
  }
  if (!pending.piano) return undefined;
  const { revision, hash, content } = pending.piano;
  const open = { decision: undefined, feedback: undefined, newSessionId: undefined };
  return { ...row, ...open, kind: 'plan', revision, hash, content, state: 'waiting' };
}
