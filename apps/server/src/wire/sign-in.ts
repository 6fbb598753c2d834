import type { SignInStart } from '@fucina/host';
import * as z from 'zod';
import { mapped, renamed } from '../http/renamed.ts';

export const signInStart = renamed(
  z
    .object({
      stato: z.string(),
      indirizzo: z.string(),
      modo: mapped({ browser: 'browser', schermo: 'screen' }),
      scadeTraMs: z.number().int(),
    })
    .meta({ id: 'SignIn' }),
  { stato: 'state', indirizzo: 'address', modo: 'way', scadeTraMs: 'expiresInMs' } satisfies Record<
    string,
    keyof SignInStart
  >,
);
