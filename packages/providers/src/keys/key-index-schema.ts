import * as z from 'zod';

/**
 * The schema of the index in the key store. A separate module, because the schema library is slow to load and most
 * starts read no key.
 */
export const keyIndex = z.object({
  version: z.literal(1),
  providers: z.record(
    z.string(),
    z.array(
      z.object({
        fingerprint: z.string(),
        number: z.number(),
        priority: z.number(),
        origin: z.enum(['saved', 'signed-in']),
        boundTo: z.string().nullable(),
      }),
    ),
  ),
});
