import type { ImproveDepth, ImprovedPrompt } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';

const WORDS = { concise: 'concisa', balanced: 'equilibrata', extended: 'estesa' } as const;
const DEPTHS: Readonly<Record<string, ImproveDepth>> = {
  concisa: 'concise',
  concise: 'concise',
  equilibrata: 'balanced',
  balanced: 'balanced',
  estesa: 'extended',
  extended: 'extended',
};

const depth = z
  .codec(z.enum(Object.keys(DEPTHS) as [string, ...string[]]), z.custom<ImproveDepth>(), {
    decode: (word) => DEPTHS[word] ?? 'balanced',
    encode: (inner) => WORDS[inner],
  })
  .default('balanced');

export const promptToImprove = renamed(
  z.strictObject({ prompt: z.string().trim().min(1).max(12_000), profondita: depth }),
  { profondita: 'depth' },
);

export const improvedPrompt = encoded(
  z
    .object({
      promptMigliorato: z.string(),
      sintesi: z.string(),
      principi: z.array(z.string()),
      promptOriginale: z.string(),
      profondita: z.enum(['concisa', 'equilibrata', 'estesa']),
      modello: z.string(),
      fornitore: z.string(),
    })
    .meta({ id: 'ImprovedPrompt' }),
  (answer: ImprovedPrompt) => ({
    promptMigliorato: answer.improved,
    sintesi: answer.summary,
    principi: answer.principles,
    promptOriginale: answer.original,
    profondita: WORDS[answer.depth],
    modello: answer.model,
    fornitore: answer.provider,
  }),
);
