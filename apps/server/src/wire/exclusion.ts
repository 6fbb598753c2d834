import type { BuiltInExclusion, ExcludedFromAnswer, ExclusionRows } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';

const builtIn = z.object({ modello: z.string(), slug: z.string(), attivo: z.boolean() }).meta({ id: 'Exclusion' });

const builtInOnWire = ({ model, slug, isActive }: BuiltInExclusion) => ({ modello: model, slug, attivo: isActive });

export const exclusionRows = encoded(
  z.object({ esclusi: z.array(z.string()), esclusiDiSerie: z.array(builtIn) }),
  (rows: ExclusionRows) => ({ esclusi: rows.excluded, esclusiDiSerie: rows.builtIn.map(builtInOnWire) }),
);

export const builtInExclusions = encoded(z.object({ esclusiDiSerie: z.array(builtIn) }), (rows: ExclusionRows) => ({
  esclusiDiSerie: rows.builtIn.map(builtInOnWire),
}));

export const excludedFromAnswer = encoded(
  z.object({ slug: z.string(), giaEscluso: z.boolean(), esclusi: z.array(z.string()) }),
  ({ slug, wasExcluded, excluded }: ExcludedFromAnswer) => ({ slug, giaEscluso: wasExcluded, esclusi: excluded }),
);

const builtInChange = renamed(z.strictObject({ modello: z.string(), slug: z.string(), attivo: z.boolean() }), {
  modello: 'model',
  attivo: 'isActive',
});

/** Which slugs may be kept is the domain's to say. */
export const exclusionChange = renamed(
  z
    .strictObject({ esclusi: z.array(z.string().max(400)).max(100), diSerie: z.array(builtInChange).max(64) })
    .partial()
    .refine((fields) => Object.keys(fields).length > 0, 'at least one field'),
  { esclusi: 'excluded', diSerie: 'builtIn' },
);
