import type { ProbeDetail, ProbeResult, ProviderRow, RuntimeRow } from '@fucina/host';
import { type Language, probeWords } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { isoOrNull } from './common.ts';

const CAUSES: Record<string, string> = {
  'rate-limit': 'traffico',
  credential: 'credenziale',
  credit: 'credito',
  network: 'rete',
  timeout: 'timeout-fornitore',
  server: 'guasto-fornitore',
  'stream-interrupted': 'flusso-interrotto',
  'address-changed': 'indirizzo-cambiato',
};

const poolRow = z.object({
  impronta: z.string(),
  nome: z.string(),
  priorita: z.number().int(),
  origine: z.enum(['custodia', 'accesso']),
  stato: z.enum(['disponibile', 'in-panchina']),
  inPanchinaFino: z.string().nullable(),
  causa: z.string().nullable(),
});

const exclusion = z.object({ modello: z.string(), slug: z.string(), attivo: z.boolean() });

const wireRow = z
  .object({
    id: z.string(),
    label: z.string(),
    requiresKey: z.boolean(),
    keyConfigured: z.boolean(),
    pool: z.array(poolRow),
    modelliDiRiserva: z.array(z.string()),
    defaultEndpoint: z.string().nullable(),
    supportsEndpoint: z.boolean(),
    supportsTimeout: z.boolean(),
    endpoint: z.string().nullable(),
    endpointConfigured: z.boolean(),
    timeoutSeconds: z.number(),
    execution: z.string(),
    supportsOAuth: z.boolean(),
    origineChiave: z.enum(['custodia', 'accesso']).nullable(),
    esclusi: z.array(z.string()).optional(),
    esclusiDiSerie: z.array(exclusion).optional(),
  })
  .meta({ id: 'Provider' });

const ORIGINS = { saved: 'custodia', 'signed-in': 'accesso' } as const;

export const providerRow = encoded(wireRow, (row: ProviderRow) => ({
  id: row.id,
  label: row.label,
  requiresKey: row.requiresKey,
  keyConfigured: row.keyConfigured,
  pool: row.pool.map((key) => ({
    impronta: key.fingerprint,
    nome: key.name,
    priorita: key.priority,
    origine: ORIGINS[key.origin],
    stato: key.state === 'available' ? ('disponibile' as const) : ('in-panchina' as const),
    inPanchinaFino: isoOrNull(key.cooldownUntil),
    causa: key.cause && (CAUSES[key.cause] ?? key.cause),
  })),
  modelliDiRiserva: row.reserveModels,
  defaultEndpoint: row.defaultEndpoint,
  supportsEndpoint: row.supportsEndpoint,
  supportsTimeout: row.supportsTimeout,
  endpoint: row.endpoint,
  endpointConfigured: row.endpointConfigured,
  timeoutSeconds: row.timeoutSeconds,
  execution: row.execution,
  supportsOAuth: row.supportsSignIn,
  origineChiave: row.keyOrigin && ORIGINS[row.keyOrigin],
  esclusi: row.excluded,
  esclusiDiSerie: row.builtInExclusions?.map(({ model, slug, isActive }) => ({
    modello: model,
    slug,
    attivo: isActive,
  })),
}));

const agentFields = z.object({
  command: z.string(),
  args: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
});

export const runtimeRow = renamed(
  z
    .object({
      provider: z.string(),
      endpoint: z.string().nullable(),
      endpointConfigured: z.boolean(),
      timeoutSeconds: z.number(),
      esclusi: z.array(z.string()).optional(),
      modelli: z.array(z.string()).nullable().optional(),
      agente: agentFields.nullable().optional(),
    })
    .meta({ id: 'ProviderRuntime' }),
  { esclusi: 'excluded', modelli: 'models', agente: 'agent' } satisfies Record<string, keyof RuntimeRow>,
);

/** The domain knows which fields a provider supports: the schema here is the union. */
export const runtimeChange = renamed(
  z
    .strictObject({
      endpoint: z.string().max(4_096),
      timeoutSeconds: z.number(),
      modelli: z.array(z.string().max(400)).max(2_000).nullable(),
      agente: z.strictObject({
        command: z.string(),
        args: z.array(z.string()).optional(),
        settings: z.record(z.string(), z.unknown()).optional(),
      }),
    })
    .partial()
    .refine((fields) => Object.keys(fields).length > 0, 'at least one field'),
  { modelli: 'models', agente: 'agent' },
);

const OUTCOMES = {
  reached: 'raggiunto',
  'credential-refused': 'credenziale-rifiutata',
  unreachable: 'irraggiungibile',
  'to-configure': 'da-configurare',
  failed: 'fallito',
} as const;

type Agent = NonNullable<ProbeResult['agent']>;

const agentFacts = ({ name, version, isSignedIn }: Agent) => ({
  nome: name ?? null,
  versione: version ?? null,
  accessoEffettuato: isSignedIn,
});

const agentLabel = (agent: Agent | undefined): string | undefined =>
  [agent?.name, agent?.version].filter(Boolean).join(' ') || undefined;

export const probeResult = encoded(
  z
    .object({
      esito: z.enum(['raggiunto', 'credenziale-rifiutata', 'irraggiungibile', 'da-configurare', 'fallito']),
      modelli: z.number().int().nullable(),
      latenzaMs: z.number().int().nullable(),
      dettaglio: z.string(),
      messaggioFornitore: z.string().optional().describe('What the provider itself said when it refused; redacted'),
      agente: z
        .object({ nome: z.string().nullable(), versione: z.string().nullable(), accessoEffettuato: z.boolean() })
        .optional()
        .describe('What the external agent says of itself'),
    })
    .meta({ id: 'ProviderTest' }),
  ({ result, language }: { result: ProbeResult; language: Language }) => ({
    esito: OUTCOMES[result.outcome],
    modelli: result.models,
    latenzaMs: result.latencyMs === null ? null : Math.round(result.latencyMs),
    dettaglio: probeWords(result.detail satisfies ProbeDetail, language, agentLabel(result.agent) ?? result.party),
    ...(result.agent && { agente: agentFacts(result.agent) }),
    ...(result.providerMessage !== undefined && { messaggioFornitore: result.providerMessage }),
  }),
);
