import type { BackupView } from '@fucina/host';
import * as z from 'zod';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { iso } from './common.ts';

const PERIODS = { off: 'mai', daily: 'giornaliera', weekly: 'settimanale' } as const;
const period = mapped({ mai: 'off', giornaliera: 'daily', settimanale: 'weekly' });

export const backupChoice = renamed(
  z.strictObject({
    frequenza: period,
    cartella: z.string().min(1).max(4_096),
    conserva: z.number().int().min(1).max(999),
  }),
  { frequenza: 'every', cartella: 'folder', conserva: 'keep' },
);

export const backupView = encoded(
  z
    .object({
      frequenza: z.enum(Object.values(PERIODS)),
      cartella: z.string(),
      conserva: z.number().int(),
      inCorso: z.boolean(),
      ultimoAlle: z.string().nullable(),
      errore: z.object({ alle: z.string(), codice: z.string() }).nullable(),
    })
    .meta({ id: 'BackupSchedule' }),
  (view: BackupView) => ({
    frequenza: PERIODS[view.every],
    cartella: view.folder,
    conserva: view.keep,
    inCorso: view.isRunning,
    ultimoAlle: view.doneAt === null ? null : iso(view.doneAt),
    errore: view.failure && { alle: iso(view.failure.at), codice: view.failure.code },
  }),
);
