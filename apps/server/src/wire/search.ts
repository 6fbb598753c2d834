import type { SearchTest, SearchView } from '@fucina/host';
import { type Language, searchSourceNote } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';

const READINESS = {
  ready: 'pronta',
  off: 'spenta',
  'key-missing': 'chiave-mancante',
  'address-missing': 'indirizzo-mancante',
} as const;

const source = z.object({
  id: z.string(),
  label: z.string(),
  needsKey: z.boolean(),
  needsEndpoint: z.boolean(),
  keyless: z.boolean(),
  nota: z.string(),
  link: z.string().nullable(),
  keyConfigured: z.boolean(),
});

export const searchView = encoded(
  z
    .object({
      source: z.string(),
      endpoint: z.string(),
      readiness: z.enum(['pronta', 'spenta', 'chiave-mancante', 'indirizzo-mancante']),
      fonti: z.array(source),
    })
    .meta({ id: 'SearchSource' }),
  ({ view, language }: { view: SearchView; language: Language }) => ({
    source: view.source,
    endpoint: view.endpoint,
    readiness: READINESS[view.readiness],
    fonti: view.sources.map((row) => ({
      id: row.id,
      label: row.label,
      needsKey: row.needsKey,
      needsEndpoint: row.needsEndpoint,
      keyless: row.isKeyless,
      nota: searchSourceNote(row.id, language),
      link: row.keysPage,
      keyConfigured: row.keyConfigured,
    })),
  }),
);

export const searchTest = renamed(
  z.object({
    source: z.string(),
    risultati: z.number().int(),
    titoli: z.array(z.string()),
    durataMs: z.number().int(),
  }),
  { risultati: 'count', titoli: 'titles', durataMs: 'durationMs' } satisfies Record<string, keyof SearchTest>,
);
