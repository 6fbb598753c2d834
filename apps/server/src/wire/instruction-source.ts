import type { InstructionSource } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const STATES = { sent: 'inviato', truncated: 'troncato', listed: 'elencato', 'left-out': 'escluso' } as const;
const REASONS = {
  replaced: 'sostituito',
  'same-text': 'stesso-testo',
  limit: 'limite',
  empty: 'vuoto',
  'not-text': 'non-testo',
  outside: 'fuori-cartella',
  'not-readable': 'illeggibile',
  'on-request': 'su-richiesta',
  'too-many': 'troppe-regole',
} as const;

export const instructionSource = encoded(
  z
    .object({
      percorso: z.string(),
      byte: z.number().int(),
      stato: z.enum(['inviato', 'troncato', 'elencato', 'escluso']),
      motivo: z
        .enum([
          'sostituito',
          'stesso-testo',
          'limite',
          'vuoto',
          'non-testo',
          'fuori-cartella',
          'illeggibile',
          'su-richiesta',
          'troppe-regole',
        ])
        .nullable(),
    })
    .meta({ id: 'InstructionSource' }),
  ({ path, sizeBytes, state, reason }: InstructionSource) => ({
    percorso: path,
    byte: sizeBytes,
    stato: STATES[state],
    motivo: reason && REASONS[reason],
  }),
);
