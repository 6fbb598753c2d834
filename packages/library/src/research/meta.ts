import * as z from 'zod';

export const DEPTHS = ['quick', 'deep', 'exhaustive'] as const;
export type Depth = (typeof DEPTHS)[number];

/** Final states. */
export const TERMINAL_STATES = [
  'done',
  'failed',
  'cancelled',
  'senza-rapporto',
  'bloccata-dal-permesso',
  'giri-esauriti',
] as const;
export type TerminalState = (typeof TERMINAL_STATES)[number];
/** `running` and `paused` are derived from the session, never stored. */
export type LiveState = TerminalState | 'running' | 'paused';

/** The content of `meta.json` of a research report, with its field names on disk. */
const meta = z.object({
  formato: z.literal(2),
  id: z.string(),
  domanda: z.string().min(1),
  profondita: z.enum(DEPTHS),
  titolo: z.string().nullable(),
  avviataAlle: z.iso.datetime(),
  aggiornataAlle: z.iso.datetime(),
  terminata: z.enum(TERMINAL_STATES).nullable(),
  reportLibraryId: z.string().nullable(),
  conclusaAlle: z.iso.datetime().nullable(),
  ultimoMessaggio: z.string().nullable(),
  motivoDettaglio: z.string().nullable(),
  padreId: z.string().nullable(),
  nome: z.string().nullable(),
});
export type ResearchMeta = z.output<typeof meta>;

/** Undefined when the text is not a valid file of this report. */
export function readResearchMeta(text: string, id: string): ResearchMeta | undefined {
  try {
    const { success, data } = meta.safeParse(JSON.parse(text));
    return success && data.id === id ? data : undefined;
  } catch {
    return undefined; // not JSON
  }
}
