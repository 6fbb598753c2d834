import { isWaiting, type SessionState, stateOf } from '../../session/session-state.ts';
import type { SessionRow } from '../../wire/records.ts';

/** What a user who looks elsewhere wants to know. */
export const ATTENTION_KINDS = ['waiting', 'finished', 'failed'] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface Attention {
  row: SessionRow;
  kind: AttentionKind;
}

/** What is compared of a session between two readings of the list. */
export interface SeenSession {
  state: SessionState;
  lastReplyAt: string | null;
}

export type SeenSessions = ReadonlyMap<string, SeenSession>;

/** A card of its own counts, one of an agent below it is the agent's. */
const ownState = (row: SessionRow): SessionState =>
  stateOf(row) === 'waiting' && !isWaiting(row) ? 'running' : stateOf(row);

export const seenOf = (rows: readonly SessionRow[]): SeenSessions =>
  new Map(rows.map((row) => [row.sessionId, { state: ownState(row), lastReplyAt: row.ultimaRispostaAlle }]));

/**
 * What happened between two readings. A session that the user stopped is no news; an agent that another one started is
 * news only while it waits, since its end is the parent's business.
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
  // A turn may begin and end between two readings.
  const hasEnded = wasLive || before === undefined || before.lastReplyAt !== row.ultimaRispostaAlle;
  if (!hasEnded || row.padreId !== null) return undefined;
  if (state === 'done' || state === 'exhausted') return 'finished';
  return state === 'failed' || state === 'interrupted' ? 'failed' : undefined;
}
