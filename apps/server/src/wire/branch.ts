import * as z from 'zod';
import { mapped, renamed } from '../http/renamed.ts';
import { ok, prose } from './common.ts';
import { imageChoices } from './image.ts';

/** Names a message that began a turn. */
const reference = z.string().min(1).max(200);
export const turnReference = renamed(z.strictObject({ riferimento: reference }), { riferimento: 'reference' });

/** Up to a message and on with another one, or up to the end of the turn that a message began. */
export const newBranch = z.union([
  renamed(
    z.strictObject({
      prima: reference,
      messaggio: prose,
      immagini: imageChoices.optional(),
      ripristinaFile: z.boolean().optional(),
    }),
    { prima: 'before', messaggio: 'message', immagini: 'images', ripristinaFile: 'restoresFiles' },
  ),
  renamed(z.strictObject({ dopo: reference }), { dopo: 'after' }),
]);

/** What was changed but not recorded. */
const unknown = { altri: z.int().min(0).optional(), parziale: z.boolean().optional() };
const unknownNames = { altri: 'omitted', parziale: 'isPartial' } as const;
const skipped = { fileNonRipristinati: z.array(z.string()), ...unknown };
const skippedNames = { fileNonRipristinati: 'skipped', ...unknownNames } as const;

export const branch = renamed(z.object({ sessionId: z.string(), ...skipped }), skippedNames);
export const restored = renamed(ok.extend(skipped), skippedNames);

export const branchPoint = renamed(
  z.object({ riferimento: z.string(), sessioni: z.array(z.string()), corrente: z.string() }),
  { riferimento: 'reference', sessioni: 'sessionIds', corrente: 'current' },
).meta({ id: 'BranchPoint' });

const previewedFile = renamed(
  z.object({
    percorso: z.string(),
    effetto: mapped({ ripristinato: 'restored', eliminato: 'removed', ricreato: 'recreated' }),
    problema: z
      .enum(['cambiato', 'non-conservato', 'troppo-grande', 'non-accessibile', 'fermato', 'incerto'])
      .nullable(),
  }),
  { percorso: 'path', effetto: 'effect', problema: 'problem' },
).meta({ id: 'RestorePreview' });

export const restorePreview = renamed(z.object({ file: z.array(previewedFile), ...unknown }), {
  file: 'files',
  ...unknownNames,
});
