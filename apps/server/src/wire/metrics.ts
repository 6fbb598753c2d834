import type { FirstToken, SessionMetrics } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { cacheOnWire, cacheUse, outcomeOnWire } from './session.ts';

const wireMetrics = z
  .object({
    registrato: z.boolean(),
    motivo: z.literal('non-registrato').nullable(),
    giri: z.number().nullable(),
    cache: cacheUse.nullable(),
    cacheSessione: cacheUse.nullable(),
    primoToken: z
      .object({
        ms: z.number().nullable(),
        tipo: z.enum(['ragionamento', 'testo', 'attrezzo']).nullable(),
        msPrimoVisibile: z.number().nullable(),
        inCorsoDaMs: z.number().nullable(),
        motivoAssente: z.string().nullable(),
        motivoVisibileAssente: z.string().nullable(),
      })
      .nullable(),
    chiusura: z
      .object({ motivo: z.string().nullable(), codice: z.string().nullable(), motivoAssente: z.string().nullable() })
      .nullable(),
    interrotta: z.boolean(),
    ragionamentiMs: z.record(z.string(), z.number()),
    ragionamentiInCorsoDaMs: z.record(z.string(), z.number()),
    etaEvento: z.object({ sequenza: z.number(), ms: z.number() }).nullable(),
  })
  .meta({ id: 'SessionMetrics' });

const KINDS = { reasoning: 'ragionamento', text: 'testo', tool: 'attrezzo' } as const;

export const metrics = encoded(wireMetrics, (inner: SessionMetrics) => ({
  registrato: inner.isRecorded,
  motivo: inner.isRecorded ? null : ('non-registrato' as const),
  giri: inner.modelCalls,
  cache: cacheOnWire(inner.cache),
  cacheSessione: cacheOnWire(inner.sessionCache),
  primoToken: firstTokenOnWire(inner.firstToken),
  chiusura: inner.closing && {
    motivo: outcomeOnWire(inner.closing.reason),
    codice: inner.closing.code,
    motivoAssente: inner.closing.isOpen ? 'in-corso' : null,
  },
  interrotta: inner.isInterrupted,
  ragionamentiMs: inner.reasoningMs,
  ragionamentiInCorsoDaMs: inner.reasoningRunningForMs,
  etaEvento: inner.eventAge && { sequenza: inner.eventAge.sequence, ms: inner.eventAge.ms },
}));

function firstTokenOnWire(first: FirstToken | null) {
  if (!first) return null;
  const absent = first.runningForMs === null ? 'nessuna-risposta' : 'in-attesa';
  return {
    ms: first.ms,
    tipo: first.kind && KINDS[first.kind],
    msPrimoVisibile: first.firstVisibleMs,
    inCorsoDaMs: first.runningForMs,
    motivoAssente: first.ms === null ? absent : null,
    motivoVisibileAssente: first.firstVisibleMs === null ? 'nessun-testo' : null,
  };
}
