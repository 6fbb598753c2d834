import type { SignInStart } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const WAYS = { browser: 'browser', screen: 'schermo' } as const;

export const signInStart = encoded(
  z
    .object({
      stato: z.string(),
      indirizzo: z.string(),
      modo: z.enum(['browser', 'schermo']),
      scadeTraMs: z.number().int(),
    })
    .meta({ id: 'SignIn' }),
  ({ state, address, way, expiresInMs }: SignInStart) => ({
    stato: state,
    indirizzo: address,
    modo: WAYS[way],
    scadeTraMs: expiresInMs,
  }),
);
