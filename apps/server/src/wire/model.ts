import type { FullCatalog, ModelRow } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { isoOrNull } from './common.ts';

const CAPABILITIES = { 'observed-yes': 'osservato-si', 'observed-no': 'osservato-no', unknown: 'unknown' } as const;
const capability = z.enum(['osservato-si', 'osservato-no', 'unknown']);

const wireRow = z
  .object({
    id: z.string(),
    nome: z.string(),
    provider: z.string(),
    contextLength: z.number().nullable(),
    contestoVerificato: z.boolean(),
    capacita: z.object({ visione: capability, toolUse: capability, reasoning: capability }),
    inputModalities: z.array(z.string()).optional(),
    quantizzazione: z.string().nullable(),
    /** Beyond the interface: in tokens. */
    uscitaMassima: z.number().nullable(),
    /** Beyond the interface: in the given currency, per million tokens; null when unknown. */
    prezzo: z
      .object({ ingresso: z.number(), uscita: z.number(), cache: z.number().nullable(), valuta: z.string() })
      .nullable(),
    osservatoAlle: z.string().nullable(),
  })
  .meta({ id: 'Model' });

/** There can be hundreds: one codec per part of a row takes four times as long as one for all. */
export const modelRow = encoded(wireRow, rowOnWire);

function rowOnWire(row: ModelRow) {
  return {
    id: row.id,
    nome: row.name,
    provider: row.provider,
    contextLength: row.contextLength,
    contestoVerificato: row.isContextVerified,
    capacita: {
      visione: CAPABILITIES[row.capabilities.vision],
      toolUse: CAPABILITIES[row.capabilities.toolUse],
      reasoning: CAPABILITIES[row.capabilities.reasoning],
    },
    inputModalities: row.inputModalities,
    quantizzazione: row.quantization,
    uscitaMassima: row.maxOutputTokens,
    prezzo: row.price && {
      ingresso: row.price.promptPerMillion,
      uscita: row.price.completionPerMillion,
      cache: row.price.cachedPerMillion,
      valuta: row.price.currency,
    },
    osservatoAlle: isoOrNull(row.observedAt),
  };
}

const levels = z.record(z.string(), z.record(z.string(), z.array(z.string())));
const wire = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string().nullable())));

/** The fields beside the models in the whole catalog. */
export const catalogExtras = z.object({
  livelliDiretti: levels,
  filoDiretti: wire,
  filoCatalogo: wire,
  /** Beyond the interface: the source of prices and context sizes that no provider states, and when it was fetched. */
  catalogoPubblico: z.object({ attivo: z.boolean(), osservatoAlle: z.string().nullable() }),
});

export function catalogOnWire({ models, directLevels, directWire, catalogWire, publicCatalog }: FullCatalog): {
  rows: readonly ModelRow[];
  rest: z.output<typeof catalogExtras>;
} {
  return {
    rows: models,
    rest: {
      livelliDiretti: directLevels as z.output<typeof levels>,
      filoDiretti: directWire,
      filoCatalogo: catalogWire,
      catalogoPubblico: { attivo: publicCatalog.isOn, osservatoAlle: isoOrNull(publicCatalog.observedAt) },
    },
  };
}
