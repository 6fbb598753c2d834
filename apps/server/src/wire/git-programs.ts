import * as z from 'zod';

const command = z.string().nullable();

/** English on the wire: it belongs to none of the document's operations. */
export const gitPrograms = z
  .object({
    filters: z.array(
      z.object({
        name: z.string(),
        clean: command,
        smudge: command,
        process: command,
        isRequired: z.boolean(),
        fingerprint: z.string(),
        isTrusted: z.boolean(),
      }),
    ),
    notCompared: z.array(z.string()),
  })
  .meta({ id: 'GitPrograms' });
