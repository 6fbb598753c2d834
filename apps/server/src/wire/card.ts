import type { PendingCard } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const wireCard = z
  .object({
    requestId: z.string(),
    /** A permission request. */
    azione: z.record(z.string(), z.unknown()).optional(),
    /** A question of the agent. */
    questions: z.array(z.unknown()).optional(),
    /** A plan to decide on. */
    piano: z
      .object({ planId: z.string(), revision: z.number().int(), hash: z.string(), content: z.string() })
      .optional(),
  })
  .meta({ id: 'PendingCard' });

/** The pending card of a session: exactly one of `azione`, `questions` and `piano` is present. */
export const pendingCard = encoded(wireCard, (card: PendingCard) => {
  switch (card.kind) {
    case 'approval':
      return { requestId: card.requestId, azione: card.action };
    case 'question':
      return { requestId: card.requestId, questions: card.questions };
    case 'plan': {
      const { requestId, planId, revision, hash, content } = card;
      return { requestId, piano: { planId, revision, hash, content } };
    }
  }
});
