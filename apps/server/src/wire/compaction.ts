import type { CompactionOutcome } from '@fucina/host';
import * as z from 'zod';
import { encoded, mapped } from '../http/renamed.ts';

/** Why it was compacted, and with how many tokens it ended, only when it was. */
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

export const compactionPolicy = z
  .object({
    windowTokens: z.number().nullable(),
    triggerTokens: z.number(),
    warningTokens: z.number(),
    emergencyTokens: z.number(),
    source: mapped({ catalogo: 'catalog', predefinito: 'default' }),
    modelId: z.string(),
    inProgress: z.boolean(),
  })
  .meta({ id: 'CompactionPolicy' });
