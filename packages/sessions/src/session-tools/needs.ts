import type { Ambient } from '@fucina/shared';
import type { LiveTurn } from '../turn/live-turn.ts';

/** What the tools that act on the conversation itself need. */
export interface SessionToolNeeds {
  ambient: Ambient;
  /** The turn that runs the call; a call without one is a bug. */
  turnOf(sessionId: string): LiveTurn;
  /** Nobody is there to answer. */
  isUnattended(record: LiveTurn['record']): boolean;
}
