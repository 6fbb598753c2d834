import * as z from 'zod';
import { renamed } from '../http/renamed.ts';

export const imageName = z
  .string()
  .min(1)
  .max(240)
  .regex(/^\P{Cc}+$/u);

const fields = {
  id: z.string().regex(/^[0-9a-f]{64}$/),
  tipo: z.literal('immagine'),
  nome: imageName,
  mimeType: z.string(),
  byte: z.number().int(),
  url: z.string(),
};

/** Identical in events: the only record that uses its wire names internally. */
export const imageReference = z.object(fields).meta({ id: 'ChatImage' });

/** References returned by the upload: only the id is required. */
export const imageChoices = z
  .array(renamed(z.strictObject(fields).partial().required({ id: true }), { nome: 'name' }))
  .max(10);
