import type { Ambient } from '@fucina/shared';
import { watchAgents } from '../screen/conversation/agents.ts';
import type { Approver } from './approvals.ts';
import { type Answering, answerCard } from './cards.ts';

export interface AgentAnswering extends Answering {
  ambient: Ambient;
  /** A sub-agent's request was not allowed. */
  denied?(): void;
}

/**
 * Shows the requests of a session's sub-agents one at a time: they are in other journals, and an unanswered one would
 * block the turn. The returned function ends it.
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
