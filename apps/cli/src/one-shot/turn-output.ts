import type { SessionEvent } from '@fucina/conversation';
import type { AgentAsking } from '../screen/conversation/agents.ts';
import type { TurnResult } from './turn-result.ts';

/** What goes to standard output. */
export interface TurnOutput {
  push(event: SessionEvent, json: string): void;
  /** Requests of a session's sub-agents, if a program answers them. */
  ask?(asking: AgentAsking): void;
  end(result: TurnResult): void;
}
