import type {
  AnyAutomation,
  Automation,
  LegacyAutomation,
  NewAutomation,
  NewLegacy,
  Run,
  Schedule,
} from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { iso, isoOrNull } from './common.ts';
import { allRefusedAs } from './record-fields.ts';
import { permissions } from './settings.ts';

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
const kinds = z.discriminatedUnion('tipo', [
  z.strictObject({ tipo: z.literal('manuale') }),
  z.strictObject({ tipo: z.literal('ogni-ora'), minuto: z.int().min(0).max(59) }),
  z.strictObject({ tipo: z.literal('giornaliera'), ora: time }),
  z.strictObject({ tipo: z.literal('feriali'), ora: time }),
  z.strictObject({ tipo: z.literal('settimanale'), ora: time, giorno: z.int().min(0).max(6) }),
  z.strictObject({ tipo: z.literal('ogni-n-minuti'), minuti: z.int().min(1).max(525_600) }),
  z.strictObject({ tipo: z.literal('cron'), espressione: z.string().max(200) }),
  z.strictObject({ tipo: z.literal('una-volta'), quando: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/) }),
]);
type WireSchedule = z.output<typeof kinds>;

export const schedule = z
  .codec(kinds, z.custom<Schedule>(), { decode: scheduleOf, encode: wireScheduleOf })
  .meta({ id: 'AutomationSchedule' });

function scheduleOf(wire: WireSchedule): Schedule {
  switch (wire.tipo) {
    case 'manuale':
      return { kind: 'manual' };
    case 'ogni-ora':
      return { kind: 'hourly', minute: wire.minuto };
    case 'giornaliera':
      return { kind: 'daily', time: wire.ora };
    case 'feriali':
      return { kind: 'weekdays', time: wire.ora };
    case 'settimanale':
      return { kind: 'weekly', time: wire.ora, day: wire.giorno };
    case 'ogni-n-minuti':
      return { kind: 'every', minutes: wire.minuti };
    case 'cron':
      return { kind: 'cron', expression: wire.espressione };
    case 'una-volta':
      return { kind: 'once', at: wire.quando };
  }
}

function wireScheduleOf(inner: Schedule): WireSchedule {
  switch (inner.kind) {
    case 'manual':
      return { tipo: 'manuale' };
    case 'hourly':
      return { tipo: 'ogni-ora', minuto: inner.minute };
    case 'daily':
      return { tipo: 'giornaliera', ora: inner.time };
    case 'weekdays':
      return { tipo: 'feriali', ora: inner.time };
    case 'weekly':
      return { tipo: 'settimanale', ora: inner.time, giorno: inner.day };
    case 'every':
      return { tipo: 'ogni-n-minuti', minuti: inner.minutes };
    case 'cron':
      return { tipo: 'cron', espressione: inner.expression };
    case 'once':
      return { tipo: 'una-volta', quando: inner.at };
  }
}

const inProgress = z
  .object({ runId: z.string(), sessionId: z.string().nullable(), partitoAlle: z.string() })
  .nullable();
const ORIGINS = { window: 'interfaccia', chat: 'chat', automation: 'automazione' } as const;

const current = z.object({
  versione: z.literal(2),
  id: z.string(),
  nome: z.string(),
  istruzioni: z.string(),
  cartella: z.string(),
  modello: z.string().nullable(),
  permessi: permissions,
  coordinazione: z.boolean(),
  /** Beyond the interface. */
  leggeOgniIndirizzo: z.literal(true).optional(),
  modelloNonUsabile: z.string().optional(),
  pianificazione: kinds,
  fusoOrario: z.string(),
  ripeti: z.int().nullable(),
  eseguite: z.int(),
  attiva: z.boolean(),
  origine: z.object({ tipo: z.enum(['interfaccia', 'chat', 'automazione']), sessionId: z.string().optional() }),
  creataAlle: z.string(),
  modificataAlle: z.string(),
  ultimaEsecuzione: z.string().nullable(),
  prossimaEsecuzione: z.string().nullable(),
  inAttesaFinoA: z.string().nullable(),
  giroInCorso: inProgress,
});

const legacy = z.object({
  id: z.string(),
  taskId: z.string(),
  nome: z.string(),
  intervalloMinuti: z.int(),
  limiteAlGiorno: z.int(),
  modello: z.string().nullable(),
  coordinazione: z.boolean(),
  attiva: z.boolean(),
  creataAlle: z.string(),
  ultimaEsecuzione: z.string().nullable(),
  prossimaEsecuzione: z.string().nullable(),
  eseguiteOggi: z.int(),
  giornoContatore: z.string(),
  /** Beyond the interface. */
  modelloNonUsabile: z.string().optional(),
});

const either = z.union([current, legacy]);

export const automation = encoded(either, automationOf).meta({ id: 'Automation' });

/** `modelProblem`: the code of what the model lacks, where it was asked. */
export type ShownAutomation = AnyAutomation & { modelProblem?: string | undefined };

function automationOf(record: ShownAutomation): z.output<typeof either> {
  const { modelProblem } = record;
  const shown = record.version === 1 ? legacyOf(record) : currentOf(record);
  return { ...shown, ...(modelProblem && { modelloNonUsabile: modelProblem }) };
}

function currentOf(record: Automation): z.output<typeof current> {
  const { origin, running } = record;
  return {
    versione: 2,
    id: record.id,
    nome: record.name,
    istruzioni: record.instructions,
    cartella: record.folder,
    modello: record.model,
    permessi: record.permissions,
    coordinazione: record.coordinates,
    ...(!record.asksAddresses && { leggeOgniIndirizzo: true as const }),
    pianificazione: wireScheduleOf(record.schedule),
    fusoOrario: record.zone,
    ripeti: record.repeats,
    eseguite: record.executed,
    attiva: record.isOn,
    origine: { tipo: ORIGINS[origin.kind], ...(origin.sessionId !== undefined && { sessionId: origin.sessionId }) },
    creataAlle: iso(record.createdAt),
    modificataAlle: iso(record.changedAt),
    ultimaEsecuzione: isoOrNull(record.lastRunAt),
    prossimaEsecuzione: isoOrNull(record.nextRunAt),
    inAttesaFinoA: isoOrNull(record.waitsUntil),
    giroInCorso: running && {
      runId: running.runId,
      sessionId: running.sessionId,
      partitoAlle: iso(running.startedAt),
    },
  };
}

function legacyOf(record: LegacyAutomation): z.output<typeof legacy> {
  return {
    id: record.id,
    taskId: record.taskId,
    nome: record.name,
    intervalloMinuti: record.intervalMinutes,
    limiteAlGiorno: record.dailyLimit,
    modello: record.model,
    coordinazione: record.coordinates,
    attiva: record.isOn,
    creataAlle: iso(record.createdAt),
    ultimaEsecuzione: isoOrNull(record.lastRunAt),
    prossimaEsecuzione: isoOrNull(record.nextRunAt),
    eseguiteOggi: record.executedToday,
    giornoContatore: record.countedDay,
  };
}

const STATES = {
  running: 'partita',
  done: 'finita',
  failed: 'fallita',
  stopped: 'fermata',
  skipped: 'saltata',
} as const;
const LATENESS = { 'on-time': 'in-orario', late: 'in-ritardo', 'catch-up': 'recupero' } as const;
const PROPOSALS = { waiting: 'in-attesa', approved: 'approvata', discarded: 'scartata' } as const;

const runShape = z.object({
  runId: z.string(),
  previstaAlle: z.string().nullable(),
  partitaAlle: z.string().nullable(),
  sessionId: z.string().nullable(),
  ritardo: z.enum(['in-orario', 'in-ritardo', 'recupero']).optional(),
  manuale: z.boolean().optional(),
  esito: z.enum(['partita', 'finita', 'fallita', 'fermata', 'saltata']),
  finitaAlle: z.string().optional(),
  saltataAlle: z.string().optional(),
  riassunto: z.string().nullable(),
  motivo: z.string().optional(),
  dettaglio: z.string().optional(),
  daGuardare: z.boolean(),
  letta: z.boolean(),
  cambi: z.array(z.enum(['istruzioni', 'prossimaEsecuzione'])),
  proposta: z
    .object({
      prima: z.string(),
      dopo: z.string(),
      minacce: z.array(z.string()),
      stato: z.enum(['in-attesa', 'approvata', 'scartata']),
      alle: z.string(),
    })
    .optional(),
});

export const automationRun = encoded(runShape, runOf).meta({ id: 'AutomationRun' });

function runOf(run: Run): z.output<typeof runShape> {
  const { proposal } = run;
  return {
    runId: run.runId,
    previstaAlle: isoOrNull(run.scheduledAt),
    partitaAlle: isoOrNull(run.startedAt),
    sessionId: run.sessionId,
    ...(run.lateness && { ritardo: LATENESS[run.lateness] }),
    ...(run.isManual && { manuale: true }),
    esito: STATES[run.state],
    ...(run.finishedAt !== null && { finitaAlle: iso(run.finishedAt) }),
    ...(run.skippedAt !== null && { saltataAlle: iso(run.skippedAt) }),
    riassunto: run.summary,
    ...(run.reason && { motivo: run.reason }),
    ...(run.detail !== undefined && { dettaglio: run.detail }),
    daGuardare: run.needsLook,
    letta: run.isRead,
    cambi: [...run.changes],
    ...(proposal && {
      proposta: {
        prima: proposal.before,
        dopo: proposal.after,
        minacce: [...proposal.threats],
        stato: PROPOSALS[proposal.state],
        alle: iso(proposal.at),
      },
    }),
  };
}

export const inboxRow = encoded(
  runShape.extend({ automazione: z.object({ id: z.string(), nome: z.string() }) }),
  ({ run, automation: { id, name } }: { run: Run; automation: AnyAutomation }) => ({
    ...runOf(run),
    automazione: { id, nome: name },
  }),
).meta({ id: 'AutomationInboxRow' });

const fields = {
  nome: z.string().max(400),
  istruzioni: z.string().max(80_000),
  cartella: z.string().min(1).max(4_096),
  modello: z.string().max(240).nullable(),
  permessi: permissions,
  coordinazione: z.boolean(),
  pianificazione: schedule,
  fusoOrario: z.string().max(100),
  ripeti: z.int().nullable(),
};

const names = {
  nome: 'name',
  istruzioni: 'instructions',
  cartella: 'folder',
  modello: 'model',
  permessi: 'permissions',
  coordinazione: 'coordinates',
  pianificazione: 'schedule',
  fusoOrario: 'zone',
  ripeti: 'repeats',
  intervalloMinuti: 'intervalMinutes',
  limiteAlGiorno: 'dailyLimit',
} as const;

/** The error code of each field; an unused field is QUERY_INVALID. */
export const automationRefusals = {
  ...allRefusedAs('AUTOMATION_INVALID', 'nome', 'istruzioni', 'cartella', 'modello', 'permessi', 'coordinazione'),
  ...allRefusedAs('AUTOMATION_INVALID', 'ripeti', 'taskId', 'intervalloMinuti', 'limiteAlGiorno', 'automationId'),
  pianificazione: 'AUTOMATION_SCHEDULE_INVALID',
  fusoOrario: 'AUTOMATION_TIMEZONE_INVALID',
} as const;

const { intervalloMinuti: _interval, limiteAlGiorno: _limit, ...currentNames } = names;
export const automationPatch = renamed(z.strictObject(fields).partial(), currentNames);

const LEGACY = ['taskId', 'intervalloMinuti', 'limiteAlGiorno'] as const;
const REQUIRED = ['nome', 'istruzioni', 'cartella', 'pianificazione'] as const;
const anyNew = z
  .strictObject({
    ...fields,
    taskId: z.string().min(1).max(200),
    intervalloMinuti: z.int(),
    limiteAlGiorno: z.int(),
  })
  .partial()
  .superRefine((body, context) => {
    const isLegacy = body.istruzioni === undefined && body.taskId !== undefined;
    const missing = isLegacy ? (['intervalloMinuti'] as const) : REQUIRED;
    for (const name of missing) {
      if (body[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'required' });
    }
    const foreign = isLegacy ? (['cartella', 'permessi', 'pianificazione', 'fusoOrario', 'ripeti'] as const) : LEGACY;
    // A field of the other form counts as unused.
    const unread = foreign.filter((name) => body[name] !== undefined);
    if (unread.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unread, input: body });
  });

/** In the new form, or in the legacy form without instructions. */
export const newAutomation = z.codec(anyNew, z.custom<NewAutomation | NewLegacy>(), {
  decode: (body) => {
    const table: Readonly<Record<string, string>> = names;
    const entries = Object.entries(body).map(([name, value]) => [table[name] ?? name, value]);
    return Object.fromEntries(entries) as NewAutomation | NewLegacy;
  },
  encode: () => {
    throw new Error('this body is only read');
  },
});
