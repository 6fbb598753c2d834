import type { CompactionOutcome, CompactionPolicy } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

/** The cause and the resulting tokens, only if it was compacted. */
export const compactionOutcome = encoded(
  z
    .object({
      compattato: z.boolean(),
      at: z.string().optional(),
      annullabile: z.boolean().optional(),
      tokenPrima: z.number().nullable().optional(),
      tokenDopo: z.number().nullable().optional(),
    })
    .meta({ id: 'CompactionOutcome' }),
  (outcome: CompactionOutcome) => {
    if (!outcome.isCompacted) return { compattato: false };
    const { at, isUndoable, tokensBefore, tokensAfter } = outcome.compaction;
    return { compattato: true, at, annullabile: isUndoable, tokenPrima: tokensBefore, tokenDopo: tokensAfter };
  },
);

/** For a model with an unknown context size, `windowTokens` is the assumed size, and `source` is `predefinito`. */
export const compactionPolicy = encoded(
  z
    .object({
      windowTokens: z.number(),
      triggerTokens: z.number(),
      warningTokens: z.number(),
      emergencyTokens: z.number(),
      source: z.enum(['catalogo', 'predefinito']),
      modelId: z.string(),
      inProgress: z.boolean(),
    })
    .meta({ id: 'CompactionPolicy' }),
  (policy: CompactionPolicy) => ({
    ...policy,
    windowTokens: policy.windowTokens ?? policy.triggerTokens,
    source: policy.source === 'catalog' ? ('catalogo' as const) : ('predefinito' as const),
  }),
);
