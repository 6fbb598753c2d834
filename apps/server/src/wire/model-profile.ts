import { DIALECTS, REASONING_EFFORTS } from '@fucina/shared';
import * as z from 'zod';

const stated = z.object({
  tokens: z.number().int().nullable(),
  from: z.enum(['settings', 'engine', 'provider', 'catalog']).nullable(),
});
const effort = z.enum(REASONING_EFFORTS);

export const modelProfile = z
  .object({
    model: z.string(),
    window: stated,
    outputLimit: stated,
    dialect: z.object({ name: z.enum(DIALECTS), from: z.enum(['settings', 'family']) }),
    effort: z.object({ default: z.enum([...REASONING_EFFORTS, 'adaptive']).nullable(), levels: z.array(effort) }),
  })
  .meta({ id: 'ModelProfile' });
