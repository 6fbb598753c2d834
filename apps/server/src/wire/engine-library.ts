import type { LibraryInstallation } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const STATES = {
  installed: 'installata',
  absent: 'assente',
  installing: 'in-corso',
  failed: 'fallita',
  unavailable: 'non-disponibile',
} as const;

export const libraryInstallation = encoded(
  z
    .object({
      stato: z.enum(Object.values(STATES)),
      versione: z.string().nullable(),
      byte: z.number().int(),
      byteTotali: z.number().int(),
      problema: z.string().nullable(),
      dettaglio: z.string().nullable(),
    })
    .meta({ id: 'EngineLibrary' }),
  ({ state, version, bytes, totalBytes, problem, detail }: LibraryInstallation) => ({
    stato: STATES[state],
    versione: version,
    byte: bytes,
    byteTotali: totalBytes,
    problema: problem,
    dettaglio: detail,
  }),
);
