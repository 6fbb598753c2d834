import type { Ambient } from '@fucina/shared';
import type { LiveTurn } from '../live-turn.ts';

/** What the tools that act on the conversation itself need. */
export interface SessionToolNeeds {
  ambient: Ambient;
  /** The turn of the call; a call without one is a bug. */
  turnOf(sessionId: string): LiveTurn;
  /** No user is available. */
  isUnattended(record: LiveTurn['record']): boolean;
}
