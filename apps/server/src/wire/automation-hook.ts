import type { HookView } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { isoOrNull } from './common.ts';

export const automationHook = encoded(
  z
    .object({ attivo: z.boolean(), creatoAlle: z.string().nullable(), ultimaChiamataAlle: z.string().nullable() })
    .meta({ id: 'AutomationHook' }),
  ({ isOn, createdAt, lastCallAt }: HookView) => ({
    attivo: isOn,
    creatoAlle: isoOrNull(createdAt),
    ultimaChiamataAlle: isoOrNull(lastCallAt),
  }),
);

export const automationWatch = renamed(z.strictObject({ schemi: z.string().max(4_000).nullable() }), {
  schemi: 'patterns',
}).meta({ id: 'AutomationWatch' });
