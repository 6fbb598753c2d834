import type { FoundSession, SessionCache, SessionExport, SessionRow, TurnOutcome, UsageTotal } from '@fucina/host';
import { PERMISSION_LEVELS } from '@fucina/shared';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso, isoOrNull } from './common.ts';
import { fallbackProviders } from './settings.ts';

/** How a turn closed, on the wire. */
const OUTCOMES: Record<TurnOutcome, string> = {
  finished: 'fine-lavoro',
  'steps-used-up': 'giri-finiti',
  stopped: 'fermata',
  error: 'errore',
  interrupted: 'interrotta',
};
export const outcomeOnWire = (outcome: TurnOutcome | null): string | null => outcome && OUTCOMES[outcome];

const usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  cached_tokens: z.number().nullable(),
  giri: z.number(),
});

export const usageTotal = usage.extend({ esecuzioni: z.number(), esecuzioniConCache: z.number() });
export const usageOnWire = (total: UsageTotal | null) =>
  total && {
    prompt_tokens: total.promptTokens,
    completion_tokens: total.completionTokens,
    cached_tokens: total.cachedTokens,
    giri: total.steps,
    esecuzioni: total.runs,
    esecuzioniConCache: total.runsWithCache,
  };

const cache = z.object({
  frazione: z.number().nullable(),
  percentuale: z.number().nullable(),
  promptTokens: z.number(),
  cachedTokens: z.number().nullable(),
  denominatore: z.literal('prompt_tokens'),
  esecuzioni: z.number(),
  esecuzioniConCache: z.number().optional(),
  motivoAssente: z.string().nullable(),
});

export const cacheOnWire = (use: (Omit<SessionCache, 'runsWithCache'> & { runsWithCache?: number }) | null) =>
  use && {
    frazione: use.fraction,
    percentuale: use.fraction === null ? null : Math.round(use.fraction * 1_000) / 10,
    promptTokens: use.promptTokens,
    cachedTokens: use.cachedTokens,
    denominatore: 'prompt_tokens' as const,
    esecuzioni: use.runs,
    ...(use.runsWithCache !== undefined && { esecuzioniConCache: use.runsWithCache }),
    motivoAssente: use.cachedTokens === null ? 'non-dichiarata' : use.fraction === null ? 'nessun-token' : null,
  };
export const cacheUse = cache;

const wordsOfTool = { always: 'sempre', ask: 'chiedi', deny: 'nega' } as const;

const wireRow = z
  .object({
    sessionId: z.string(),
    taskId: z.string(),
    progetto: z.string().nullable(),
    nome: z.string().nullable(),
    avviataAlle: z.string(),
    ultimaRispostaAlle: z.string().nullable(),
    conclusa: z.boolean(),
    interrotta: z.boolean(),
    forkDa: z.string().nullable(),
    modello: z.string().nullable(),
    modelloPlanner: z.string().nullable(),
    reasoning: z.object({ effort: z.string().optional(), summary: z.string().optional() }).nullable(),
    // For research sessions: no client can choose it.
    permessi: z.enum([...PERMISSION_LEVELS, 'Research']),
    modalitaOperativa: z.enum(['normale', 'piano']),
    usavaModalitaWorkflow: z.boolean(),
    permessiPerAttrezzo: z.record(z.string(), z.enum(['sempre', 'chiedi', 'nega'])).nullable(),
    inAttesaDomanda: z.boolean(),
    inAttesaRichiestaMcp: z.boolean(),
    inAttesaPiano: z.boolean(),
    inAttesaDiscendente: z.boolean(),
    inAttesaApprovazione: z.boolean(),
    inAttesaApprovazioneDaMs: z.number().nullable(),
    provider: z.enum(['cloud', 'local']),
    runtimeId: z.string().nullable(),
    modelId: z.string().nullable(),
    fallbackProvider: z.string().nullable(),
    fallbackProviders,
    padreId: z.string().nullable(),
    profonditaDelega: z.number(),
    avvioDelega: z.enum(['da-solo', 'consentito']).nullable(),
    passoWorkflow: z.object({ runId: z.string(), nodeId: z.string() }).nullable(),
    taskDelega: z.string().nullable(),
    sequenzaAlRipristino: z.number().nullable(),
    ultimoEsito: z.string().nullable(),
    motivoChiusura: z.string().nullable(),
    usage: usage.nullable(),
    usageSessione: usageTotal.nullable(),
    cacheSessione: cache.nullable(),
    giriFermati: z.array(z.number()),
    /** Beyond the interface: the location of the match. */
    trovato: z
      .array(
        z.object({
          sequenza: z.number(),
          riferimento: z.string(),
          brano: z.array(z.object({ testo: z.string(), trovato: z.boolean() })),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Session' });

export const sessionRow = encoded(wireRow, (row: FoundSession) => ({
  ...originOf(row),
  ...stateOf(row),
  ...choicesOf(row),
  usage: row.usage,
  usageSessione: usageOnWire(row.total),
  cacheSessione: cacheOnWire(row.cache),
  ...(row.hits && {
    trovato: row.hits.map(({ seq, reference, snippet }) => ({
      sequenza: seq,
      riferimento: reference,
      brano: snippet.map(({ text, isHit }) => ({ testo: text, trovato: isHit })),
    })),
  }),
}));

function originOf({ header, name }: SessionRow) {
  const delegation = { alone: 'da-solo', allowed: 'consentito' } as const;
  return {
    sessionId: header.sessionId,
    taskId: header.taskId,
    progetto: header.project,
    nome: name,
    avviataAlle: iso(header.startedAt),
    forkDa: header.forkOf,
    padreId: header.parentId,
    profonditaDelega: header.delegationDepth,
    avvioDelega: header.delegationStart && delegation[header.delegationStart],
    passoWorkflow: header.workflowStep,
    taskDelega: header.delegatedTask,
    provider: header.runtime.provider,
    runtimeId: header.runtime.runtimeId,
    modelId: header.runtime.modelId,
  };
}

function stateOf(row: SessionRow) {
  const outcome = outcomeOnWire(row.outcome);
  return {
    ultimaRispostaAlle: isoOrNull(row.lastReplyAt),
    conclusa: row.isConcluded,
    interrotta: row.isInterrupted,
    inAttesaDomanda: row.waitsForQuestion,
    inAttesaRichiestaMcp: row.waitsForElicitation,
    inAttesaPiano: row.waitsForPlan,
    inAttesaDiscendente: row.waitsForDescendant,
    inAttesaApprovazione: row.waitsForApproval,
    inAttesaApprovazioneDaMs: row.waitsForApprovalSinceMs,
    sequenzaAlRipristino: row.isInterrupted ? row.lastSeq : null,
    ultimoEsito: outcome,
    motivoChiusura: outcome,
    giriFermati: [...row.stoppedTurns],
  };
}

function choicesOf({ settings }: SessionRow) {
  const tools = Object.entries(settings.toolPermissions ?? {});
  return {
    modello: settings.model,
    modelloPlanner: settings.plannerModel,
    reasoning: settings.reasoning,
    permessi: settings.permissions,
    modalitaOperativa: settings.mode === 'plan' ? ('piano' as const) : ('normale' as const),
    usavaModalitaWorkflow: false,
    permessiPerAttrezzo: tools.length
      ? Object.fromEntries(tools.map(([tool, word]) => [tool, wordsOfTool[word]]))
      : null,
    fallbackProvider: settings.fallbackProviders[0]?.provider ?? null,
    fallbackProviders: [...settings.fallbackProviders],
  };
}

export const sessionExport = encoded(
  wireRow
    .pick({
      sessionId: true,
      taskId: true,
      nome: true,
      avviataAlle: true,
      conclusa: true,
      interrotta: true,
      forkDa: true,
      modello: true,
      fallbackProviders: true,
      cacheSessione: true,
    })
    .extend({ schema: z.literal('svc.session-export.v1'), eventi: z.array(z.unknown()) })
    .meta({ id: 'SessionExport' }),
  ({ record, events }: SessionExport) => ({
    schema: 'svc.session-export.v1' as const,
    ...originOf(record),
    ...stateOf(record),
    ...choicesOf(record),
    cacheSessione: cacheOnWire(record.cache),
    eventi: events,
  }),
);
