import * as z from 'zod';
import { renamed } from '../http/renamed.ts';

const header = renamed(z.object({ nome: z.string(), inviata: z.boolean() }), { nome: 'name', inviata: 'isSent' });

export const connectionRow = renamed(
  z
    .object({
      provider: z.string(),
      endpoint: z.string().nullable(),
      endpointConfigured: z.boolean(),
      modificabile: z.boolean(),
      intestazioni: z.array(header),
    })
    .meta({ id: 'ProviderConnection' }),
  { modificabile: 'isChangeable', intestazioni: 'headers' },
);

const headerChange = renamed(
  z.strictObject({
    nome: z.string().max(1_024),
    valore: z.string().max(16_384).optional().describe('Absent: the stored value stays'),
  }),
  { nome: 'name', valore: 'value' },
);

/** The domain knows which headers can be sent: the schema here only limits sizes. */
export const connectionChange = renamed(
  z
    .strictObject({
      endpoint: z.string().max(4_096).nullable(),
      intestazioni: z.array(headerChange).max(64),
    })
    .partial()
    .refine((fields) => Object.keys(fields).length > 0, 'at least one field'),
  { intestazioni: 'headers' },
);
