import * as z from 'zod';
import { renamed } from '../http/renamed.ts';
import { instant } from './common.ts';

/** `giro:<seq>`: the message that began a turn, as other operations name it. */
const turnReference = z.codec(z.string(), z.number().int(), {
  decode: (reference) => Number(reference.slice('giro:'.length)),
  encode: (seq) => `giro:${seq}`,
});

export const turnTimes = renamed(
  z.object({ riferimento: turnReference, iniziatoAlle: instant, finitoAlle: instant.nullable() }),
  { riferimento: 'seq', iniziatoAlle: 'start', finitoAlle: 'end' },
).meta({ id: 'TurnTimes' });

export const suggestedTitle = renamed(z.object({ nome: z.string(), impostato: z.boolean() }), {
  nome: 'name',
  impostato: 'isNew',
});
