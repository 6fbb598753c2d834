import type { CompactionOutcome, CompactionPolicy } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const WHY_NOT = {
  'too-short': 'troppo-corta',
  'in-progress': 'in-corso',
  cancelled: 'annullata',
  'model-failed': 'modello-fallito',
} as const;

/** The resulting tokens if it was compacted, else why not. */
export const compactionOutcome = encoded(
  z
    .object({
      compattato: z.boolean(),
      at: z.string().optional(),
      annullabile: z.boolean().optional(),
      tokenPrima: z.number().nullable().optional(),
      tokenDopo: z.number().nullable().optional(),
      motivo: z.enum(['troppo-corta', 'in-corso', 'annullata', 'modello-fallito']).optional(),
      dettaglio: z.string().optional(),
    })
    .meta({ id: 'CompactionOutcome' }),
  (outcome: CompactionOutcome) => {
    if (!outcome.isCompacted) {
      const { why, failure } = outcome;
      return { compattato: false, motivo: WHY_NOT[why], ...(failure && { dettaglio: failure.message }) };
    }
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
