import type { TerminalRecord, WslView } from '@fucina/host';
import * as z from 'zod';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { instant } from './common.ts';

export const terminalId = z.string().min(1).max(200);

export const terminal = renamed(
  z.object({
    terminalId: z.string(),
    sessionId: z.string(),
    cartella: z.string(),
    creatoAlle: instant,
    origine: mapped({ 'prima-scheda': 'first-tab', rotta: 'opened' }),
    attiva: z.boolean(),
  }),
  { cartella: 'folder', creatoAlle: 'createdAt', origine: 'origin', attiva: 'isActive' } satisfies Record<
    string,
    keyof TerminalRecord
  >,
).meta({ id: 'Terminal' });

/** With WSL the interface has more fields; this release does not use it. */
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
