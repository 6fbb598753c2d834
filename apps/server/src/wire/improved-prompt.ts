import type { ImproveDepth, ImprovedPrompt } from '@fucina/host';
import * as z from 'zod';
import { mapped, renamed } from '../http/renamed.ts';

const answeredDepth = mapped({ concisa: 'concise', equilibrata: 'balanced', estesa: 'extended' });
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
    encode: (inner) => z.encode(answeredDepth, inner),
  })
  .default('balanced');

export const promptToImprove = renamed(
  z.strictObject({ prompt: z.string().trim().min(1).max(12_000), profondita: depth }),
  { profondita: 'depth' },
);

export const improvedPrompt = renamed(
  z
    .object({
      promptMigliorato: z.string(),
      sintesi: z.string(),
      principi: z.array(z.string()),
      promptOriginale: z.string(),
      profondita: answeredDepth,
      modello: z.string(),
      fornitore: z.string(),
    })
    .meta({ id: 'ImprovedPrompt' }),
  {
    promptMigliorato: 'improved',
    sintesi: 'summary',
    principi: 'principles',
    promptOriginale: 'original',
    profondita: 'depth',
    modello: 'model',
    fornitore: 'provider',
  } satisfies Record<string, keyof ImprovedPrompt>,
);
