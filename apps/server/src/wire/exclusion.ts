import type { BuiltInExclusion, ExcludedFromAnswer, ExclusionRows } from '@fucina/host';
import * as z from 'zod';
import { renamed } from '../http/renamed.ts';

const exclusionNames = { modello: 'model', attivo: 'isActive' } as const satisfies Record<
  string,
  keyof BuiltInExclusion
>;
const builtIn = renamed(
  z.object({ modello: z.string(), slug: z.string(), attivo: z.boolean() }).meta({ id: 'Exclusion' }),
  exclusionNames,
);
const rowNames = { esclusi: 'excluded', esclusiDiSerie: 'builtIn' } as const satisfies Record<
  string,
  keyof ExclusionRows
>;

export const exclusionRows = renamed(
  z.object({ esclusi: z.array(z.string()), esclusiDiSerie: z.array(builtIn) }),
  rowNames,
);

export const builtInExclusions = renamed(z.object({ esclusiDiSerie: z.array(builtIn) }), {
  esclusiDiSerie: rowNames.esclusiDiSerie,
});

export const excludedFromAnswer = renamed(
  z.object({ slug: z.string(), giaEscluso: z.boolean(), esclusi: z.array(z.string()) }),
  { giaEscluso: 'wasExcluded', esclusi: 'excluded' } satisfies Record<string, keyof ExcludedFromAnswer>,
);

const builtInChange = renamed(
  z.strictObject({ modello: z.string(), slug: z.string(), attivo: z.boolean() }),
  exclusionNames,
);

/** The domain validates the slugs. */
export const exclusionChange = renamed(
  z
    .strictObject({ esclusi: z.array(z.string().max(400)).max(100), diSerie: z.array(builtInChange).max(64) })
    .partial()
    .refine((fields) => Object.keys(fields).length > 0, 'at least one field'),
  { esclusi: 'excluded', diSerie: 'builtIn' },
);
