import type { TracedStep, TracedTurn } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { iso } from './common.ts';

const KINDS = {
  model: 'modello',
  tool: 'strumento',
  wait: 'attesa',
  retry: 'ritentativo',
  compaction: 'compattazione',
} as const;
const OUTCOMES = { running: 'in-corso', done: 'riuscito', failed: 'fallito', interrupted: 'interrotto' } as const;
const TURN_OUTCOMES = { ...OUTCOMES, stopped: 'fermato', exhausted: 'giri-esauriti' } as const;

const count = z.number().int();
/** Milliseconds since the start of the turn; null while it runs. */
const span = { inizioMs: count, fineMs: count.nullable() };

const step = z
  .object({
    tipo: z.enum(['modello', 'strumento', 'attesa', 'ritentativo', 'compattazione']),
    nome: z.string(),
    livello: count,
    ...span,
    esito: z.enum(['in-corso', 'riuscito', 'fallito', 'interrotto']),
    errore: z.string().nullable(),
    primoOutputMs: count.nullable(),
    token: z.object({ ingresso: count, uscita: count, cache: count.nullable() }).nullable(),
    costoUsd: z.number().nullable(),
    attesaUtente: z.object(span).nullable(),
    toolCallId: z.string().nullable(),
    sessionId: z.string().nullable(),
  })
  .meta({ id: 'TraceStep' });

const orNull = <Value>(value: Value | undefined): Value | null => value ?? null;

function spanFrom(start: number, time: { start: number; end: number | undefined }) {
  return { inizioMs: Math.max(0, time.start - start), fineMs: time.end === undefined ? null : time.end - start };
}

function stepFrom(start: number, one: TracedStep): z.output<typeof step> {
  const { kind, name, depth, outcome, error, firstOutputAt, tokens, usd, wait, callId, agentId } = one;
  return {
    tipo: KINDS[kind],
    nome: name,
    livello: depth,
    ...spanFrom(start, one),
    esito: OUTCOMES[outcome],
    errore: orNull(error),
    primoOutputMs: firstOutputAt === undefined ? null : firstOutputAt - start,
    token: tokens ? { ingresso: tokens.input, uscita: tokens.output, cache: orNull(tokens.cached) } : null,
    costoUsd: orNull(usd),
    attesaUtente: wait ? spanFrom(start, wait) : null,
    toolCallId: orNull(callId),
    sessionId: orNull(agentId),
  };
}

export const turnTrace = encoded(
  z
    .object({
      riferimento: z.string(),
      iniziatoAlle: z.string(),
      durataMs: count.nullable(),
      esito: z.enum(['in-corso', 'riuscito', 'fallito', 'interrotto', 'fermato', 'giri-esauriti']),
      errore: z.string().nullable(),
      passi: z.array(step),
      altri: count,
    })
    .meta({ id: 'TurnTrace' }),
  ({ reference, start, end, outcome, error, steps, omitted }: TracedTurn) => ({
    riferimento: reference,
    iniziatoAlle: iso(start),
    durataMs: end === undefined ? null : end - start,
    esito: TURN_OUTCOMES[outcome],
    errore: orNull(error),
    passi: steps.map((one) => stepFrom(start, one)),
    altri: omitted,
  }),
);

/** The turn that a message began; default: the latest one. */
export const tracedTurn = renamed(z.strictObject({ riferimento: z.string().min(1).max(200).optional() }), {
  riferimento: 'reference',
});
