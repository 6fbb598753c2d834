import { isWaiting, type SessionState, stateOf } from '../../session/session-state.ts';
import type { SessionRow } from '../../wire/records.ts';

/** Events worth a notification. */
export const ATTENTION_KINDS = ['waiting', 'finished', 'failed'] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface Attention {
  row: SessionRow;
  kind: AttentionKind;
}

/** The compared fields of a session. */
export interface SeenSession {
  state: SessionState;
  lastReplyAt: string | null;
}

export type SeenSessions = ReadonlyMap<string, SeenSession>;

/** Its own request; a sub-agent's request belongs to the sub-agent. */
const ownState = (row: SessionRow): SessionState =>
  stateOf(row) === 'waiting' && !isWaiting(row) ? 'running' : stateOf(row);

export const seenOf = (rows: readonly SessionRow[]): SeenSessions =>
  new Map(rows.map((row) => [row.sessionId, { state: ownState(row), lastReplyAt: row.lastAnswerAt }]));

/**
 * Events between two versions of the list. A session that the user stopped is not reported; a sub-agent only while it
 * waits, because its end concerns the parent.
 */
export function attentionSince(before: SeenSessions, rows: readonly SessionRow[]): Attention[] {
  return rows.flatMap((row) => {
    const kind = kindOf(before.get(row.sessionId), row);
    return kind ? [{ row, kind }] : [];
  });
}

function kindOf(before: SeenSession | undefined, row: SessionRow): AttentionKind | undefined {
  const state = ownState(row);
  if (state === 'waiting') return before?.state === 'waiting' ? undefined : 'waiting';
  const wasLive = before?.state === 'running' || before?.state === 'waiting';
  // A turn may start and end between two versions.
  const hasEnded = wasLive || before === undefined || before.lastReplyAt !== row.lastAnswerAt;
  if (!hasEnded || row.parentId !== null) return undefined;
  if (state === 'done' || state === 'exhausted') return 'finished';
  return state === 'failed' || state === 'interrupted' ? 'failed' : undefined;
}
