import type { BoardRow } from '@fucina/host';
import * as z from 'zod';
import type { Frame } from '../http/answers.ts';
import { encoded } from '../http/renamed.ts';
import { isoOrNull } from './common.ts';

const STATES = {
  running: 'in-corso',
  waiting: 'in-attesa',
  interrupted: 'interrotta',
  ended: 'conclusa',
} as const;

export const boardRow = encoded(
  z
    .object({
      sessionId: z.string(),
      stato: z.enum(['in-corso', 'in-attesa', 'interrotta', 'conclusa']),
      ultimaRiga: z.string().nullable(),
      attrezzo: z.string().nullable(),
      file: z.number().int(),
      aggiunte: z.number().int(),
      rimosse: z.number().int(),
      costoUsd: z.number(),
      chiamateSenzaCosto: z.number().int(),
      giroIniziatoAlle: z.string().nullable(),
      giroFinitoAlle: z.string().nullable(),
    })
    .meta({ id: 'BoardRow' }),
  ({ sessionId, state, lastLine, tool, changed, spent, turnStartedAt, turnEndedAt }: BoardRow) => ({
    sessionId,
    stato: STATES[state],
    ultimaRiga: lastLine,
    attrezzo: tool,
    file: changed.files,
    aggiunte: changed.added,
    rimosse: changed.removed,
    costoUsd: spent.usd,
    chiamateSenzaCosto: spent.callsWithoutCost,
    giroIniziatoAlle: isoOrNull(turnStartedAt),
    giroFinitoAlle: isoOrNull(turnEndedAt),
  }),
);

export const board = z.object({ sessioni: z.array(boardRow) });

export async function* boardFrames(changes: AsyncIterable<readonly BoardRow[]>): AsyncGenerator<readonly Frame[]> {
  for await (const rows of changes) yield [{ json: JSON.stringify(z.encode(board, { sessioni: [...rows] })) }];
}
