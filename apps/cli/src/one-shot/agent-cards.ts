import type { Ambient } from '@fucina/shared';
import { watchAgents } from '../screen/conversation/agents.ts';
import type { Approver } from './approvals.ts';
import { type Answering, answerCard } from './cards.ts';

export interface AgentAnswering extends Answering {
  ambient: Ambient;
  /** Leave that an agent asked for was not given. */
  denied?(): void;
}

/**
 * Puts what the agents of a session ask to whoever can answer, one after the other: their cards are in journals of their
 * own, and one that nobody answers would hold the turn. What it answers ends it.
 */
export function answerAgents({ services, asker, sessionId, ambient, denied }: AgentAnswering): () => void {
  let asked: { requestId: string; closing: AbortController } | undefined;
  const counting = (of: Approver): Approver => ({
    ...of,
    async ask(request) {
      const leave = await of.ask(request);
      if (!leave.isGiven && !request.signal.aborted) denied?.();
      return leave;
    },
  });
  const watch = watchAgents({
    services,
    ambient,
    sessionId,
    changed() {
      const found = watch.asking();
      if (found?.card.requestId === asked?.requestId) return;
      asked?.closing.abort();
      asked = undefined;
      if (!found) return;
      const closing = new AbortController();
      asked = { requestId: found.card.requestId, closing };
      const answering = { services, asker: counting(asker.forAgent(found)), sessionId: found.sessionId };
      void answerCard(found.card, answering, closing.signal).then(watch.look);
    },
  });
  return () => {
    asked?.closing.abort();
    watch.stop();
  };
}
