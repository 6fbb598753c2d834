import type { InstructionSource } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const STATES = {
  sent: 'inviato',
  truncated: 'troncato',
  listed: 'elencato',
  offered: 'offerto',
  'left-out': 'escluso',
} as const;
const REASONS = {
  replaced: 'sostituito',
  'same-text': 'stesso-testo',
  limit: 'limite',
  empty: 'vuoto',
  'not-text': 'non-testo',
  outside: 'fuori-cartella',
  'not-readable': 'illeggibile',
  'too-long': 'troppo-lungo',
  'same-name': 'stesso-nome',
  'invalid-name': 'nome-non-valido',
  'no-description': 'senza-descrizione',
  'no-end': 'senza-fine',
  'on-request': 'su-richiesta',
  'too-many': 'troppe-regole',
} as const;

export const instructionSource = encoded(
  z
    .object({
      percorso: z.string(),
      byte: z.number().int(),
      stato: z.enum(['inviato', 'troncato', 'elencato', 'offerto', 'escluso']),
      motivo: z
        .enum([
          'sostituito',
          'stesso-testo',
          'limite',
          'vuoto',
          'non-testo',
          'fuori-cartella',
          'illeggibile',
          'troppo-lungo',
          'stesso-nome',
          'nome-non-valido',
          'senza-descrizione',
          'senza-fine',
          'su-richiesta',
          'troppe-regole',
        ])
        .nullable(),
      ignorati: z.array(z.string()),
      line: z
        .number()
        .int()
        .optional()
        .describe('Line of what is wrong in the file, from 1; absent where it is not one place'),
      column: z.number().int().optional().describe('Column of it, from 1'),
    })
    .meta({ id: 'InstructionSource' }),
  ({ path, sizeBytes, state, reason, place, ignored }: InstructionSource) => ({
    percorso: path,
    byte: sizeBytes,
    stato: STATES[state],
    motivo: reason && REASONS[reason],
    ignorati: [...ignored],
    ...place,
  }),
);
