import type { CallFacts, Ledger, LedgerProcess, LedgerSignal } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso } from './common.ts';

const process = z.object({
  toolCallId: z.string(),
  attrezzo: z.string(),
  origine: z.enum(['modello', 'persona']),
  comando: z.string().nullable(),
  motivoComandoAssente: z.string().nullable(),
  descrizione: z.string().nullable(),
  argomentiGrezzi: z.string(),
  sequenzaInizio: z.number(),
  sequenzaFine: z.number().nullable(),
  inizio: z.string().nullable(),
  durataMs: z.number().nullable(),
  inCorsoDaMs: z.number().nullable(),
  motivoTempoAssente: z.string().nullable(),
  esito: z.enum(['in-corso', 'in-sfondo', 'concluso', 'fallito', 'interrotto']),
  codiceUscita: z.number().nullable(),
  sandbox: z.string().nullable(),
  inSfondo: z.boolean(),
  fileSfondo: z.string().nullable(),
  sfondoDa: z.string().nullable(),
});

const silence = z.object({
  tipo: z.literal('silenzio'),
  soggetto: z.enum(['approvazione', 'processo', 'giro']),
  requestId: z.string().nullable(),
  toolCallId: z.string().nullable(),
  attrezzo: z.string().nullable(),
  comando: z.string().nullable(),
  percorso: z.string().nullable(),
  fermoDaMs: z.number(),
  sogliaMs: z.number(),
  descrizione: z.string(),
});

const spinning = z.object({
  tipo: z.literal('giro-a-vuoto'),
  soggetto: z.literal('attrezzo'),
  attrezzo: z.string(),
  comando: z.string().nullable(),
  argomenti: z.string(),
  toolCallIds: z.array(z.string()),
  posizioni: z.array(z.number()),
  ripetizioni: z.number(),
  occorrenzeTotali: z.number(),
  consecutive: z.boolean(),
  esitiDistinti: z.number(),
  soglia: z.number(),
  finestra: z.number(),
  attuale: z.boolean(),
  ripetutoDaMs: z.number().nullable(),
  descrizione: z.string(),
});

const wireLedger = z
  .object({
    registrato: z.boolean(),
    processi: z.array(process).nullable(),
    motivo: z.literal('non-registrato').nullable(),
    guardia: z.object({
      osservata: z.boolean(),
      motivo: z.string().nullable(),
      interviene: z.literal(false),
      soglie: z.object({ silenzioMs: z.number(), ripetizioniPerAllarme: z.number(), finestraChiamate: z.number() }),
      silenzioValutabile: z.boolean(),
      motivoSilenzioNonValutabile: z.string().nullable(),
      segnalazioni: z.array(z.union([silence, spinning])).nullable(),
    }),
    interrotta: z.boolean(),
  })
  .meta({ id: 'ProcessLedger' });

export const ledger = encoded(wireLedger, (inner: Ledger) => ({
  registrato: inner.isRecorded,
  processi: inner.processes && inner.processes.map(processOnWire),
  motivo: inner.isRecorded ? null : ('non-registrato' as const),
  guardia: {
    osservata: inner.isRecorded,
    motivo: inner.isRecorded ? null : 'non-registrato',
    interviene: false as const,
    soglie: {
      silenzioMs: inner.thresholds.silenceMs,
      ripetizioniPerAllarme: inner.thresholds.repetitionsForAlarm,
      finestraChiamate: inner.thresholds.callWindow,
    },
    silenzioValutabile: inner.isRecorded,
    motivoSilenzioNonValutabile: inner.isRecorded ? null : 'non-registrato',
    segnalazioni: inner.signals && inner.signals.map((signal) => signalOnWire(signal, inner)),
  },
  interrotta: inner.isInterrupted,
}));

const OUTCOMES = {
  running: 'in-corso',
  'in-background': 'in-sfondo',
  ended: 'concluso',
  failed: 'fallito',
  interrupted: 'interrotto',
} as const;

function processOnWire(row: LedgerProcess): z.output<typeof process> {
  return {
    toolCallId: row.toolCallId,
    attrezzo: row.tool,
    origine: row.origin === 'agent' ? 'modello' : 'persona',
    comando: row.command,
    motivoComandoAssente: row.command === null ? 'non-registrato' : null,
    descrizione: row.description,
    argomentiGrezzi: row.rawArguments,
    sequenzaInizio: row.startSeq,
    sequenzaFine: row.endSeq,
    inizio: iso(row.startedAt),
    durataMs: row.durationMs,
    inCorsoDaMs: row.runningForMs,
    motivoTempoAssente: row.durationMs === null ? 'in-corso' : null,
    esito: OUTCOMES[row.outcome],
    codiceUscita: row.exitCode,
    sandbox: row.enforcement,
    inSfondo: row.outcome === 'in-background',
    // Its output is read by its own id: GET process-outputs/{toolCallId}.
    fileSfondo: row.background ? row.toolCallId : null,
    sfondoDa: row.background ?? null,
  };
}

const SILENCES = {
  approval: ['approvazione', 'richiesta senza risposta'],
  process: ['processo', 'comando senza uscita'],
  turn: ['giro', 'turno senza eventi'],
} as const;

function signalOnWire(signal: LedgerSignal, { thresholds }: Ledger) {
  const facts = callOnWire(signal.call);
  if (signal.kind === 'silence') {
    const [subject, description] = SILENCES[signal.subject];
    const { argomenti: _unused, ...call } = facts;
    return {
      tipo: 'silenzio' as const,
      soggetto: subject,
      requestId: signal.requestId,
      ...call,
      percorso: null,
      fermoDaMs: signal.silentForMs,
      sogliaMs: thresholds.silenceMs,
      descrizione: description,
    };
  }
  const { positions } = signal;
  return {
    tipo: 'giro-a-vuoto' as const,
    soggetto: 'attrezzo' as const,
    attrezzo: signal.call.tool,
    comando: signal.call.command,
    argomenti: signal.call.rawArguments,
    toolCallIds: signal.toolCallIds,
    posizioni: positions,
    ripetizioni: signal.repetitions,
    occorrenzeTotali: signal.repetitions,
    consecutive: positions.every((position, index) => index === 0 || position === (positions[index - 1] ?? 0) + 1),
    esitiDistinti: signal.distinctOutcomes,
    soglia: thresholds.repetitionsForAlarm,
    finestra: thresholds.callWindow,
    attuale: signal.isCurrent,
    ripetutoDaMs: null,
    descrizione: 'stessa chiamata ripetuta',
  };
}

function callOnWire(call: CallFacts | null) {
  return {
    toolCallId: call?.toolCallId ?? null,
    attrezzo: call?.tool ?? null,
    comando: call?.command ?? null,
    argomenti: call?.rawArguments ?? null,
  };
}
