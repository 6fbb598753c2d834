import type { TerminalRecord, WslView } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso } from './common.ts';

const ORIGINS = { 'first-tab': 'prima-scheda', opened: 'rotta' } as const;

export const terminalId = z.string().min(1).max(200);

export const terminal = encoded(
  z.object({
    terminalId: z.string(),
    sessionId: z.string(),
    cartella: z.string(),
    creatoAlle: z.string(),
    origine: z.enum(['prima-scheda', 'rotta']),
    attiva: z.boolean(),
  }),
  ({ terminalId: id, sessionId, folder, createdAt, origin, isActive }: TerminalRecord) => ({
    terminalId: id,
    sessionId,
    cartella: folder,
    creatoAlle: iso(createdAt),
    origine: ORIGINS[origin],
    attiva: isActive,
  }),
).meta({ id: 'Terminal' });

/** Where WSL is used, the interface has more fields; this release never does. */
export const wslView = encoded(
  z.object({
    preferenze: z.object({ usaUtenteNormale: z.boolean() }),
    wsl: z.object({ disponibile: z.literal(false) }),
  }),
  ({ usesNormalUser, isAvailable }: WslView) => ({
    preferenze: { usaUtenteNormale: usesNormalUser },
    wsl: { disponibile: isAvailable },
  }),
);
