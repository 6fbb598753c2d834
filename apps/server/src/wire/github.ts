import type { Checks, HostStatus, PullRequest, SignIn } from '@fucina/host';
import type { ErrorCode } from '@fucina/shared';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

/** What every operation that asks the code host's program can answer. */
export const TOOL_ERRORS = [
  'HOST_STORE_UNAVAILABLE',
  'HOST_COMMAND_FAILED',
  'HOST_OUTPUT_INVALID',
  'HOST_OUTPUT_TOO_LARGE',
  'HOST_TIMEOUT',
] as const satisfies readonly ErrorCode[];

/** And about a session's repository. */
export const PULL_ERRORS = [
  ...TOOL_ERRORS,
  'HOST_NOT_INSTALLED',
  'HOST_NOT_LOGGED_IN',
  'HOST_NOT_ON_HOST',
  'HOST_GIT_FAILED',
  'GIT_DETACHED',
  'GIT_NO_REMOTE',
] as const satisfies readonly ErrorCode[];

const SIGN_IN_STATES = {
  idle: 'fermo',
  starting: 'avvio',
  waiting: 'in-attesa',
  'signed-in': 'collegato',
  failed: 'fallito',
  expired: 'scaduto',
  cancelled: 'annullato',
} as const;

const signInFields = {
  stato: z.enum(SIGN_IN_STATES),
  codice: z.string().nullable(),
  indirizzo: z.string().nullable(),
  errore: z.string().nullable(),
};

export const signInOf = (signIn: SignIn) => ({
  stato: SIGN_IN_STATES[signIn.state],
  codice: signIn.code,
  indirizzo: signIn.address,
  errore: signIn.error,
});

export const signInStarted = encoded(z.object({ ok: z.literal(true), ...signInFields }), (signIn: SignIn) => ({
  ok: true as const,
  ...signInOf(signIn),
}));

const toolFound = z.object({
  trovato: z.boolean(),
  origine: z.enum(['sistema', 'svc']).nullable(),
  versione: z.string().nullable(),
});

const ORIGINS = { system: 'sistema', own: 'svc' } as const;

function foundTool(tool: HostStatus['tool']): z.output<typeof toolFound> {
  return { trovato: tool !== undefined, origine: tool ? ORIGINS[tool.origin] : null, versione: tool?.version ?? null };
}

export const toolInstalled = encoded(
  z.object({ ok: z.literal(true), gh: toolFound }),
  ({ tool }: Pick<HostStatus, 'tool'>) => ({ ok: true as const, gh: foundTool(tool) }),
);

export const hostStatus = encoded(
  z
    .object({
      versioneSvc: z.string().nullable(),
      installazione: z.object({ inCorso: z.boolean(), errore: z.string().nullable() }),
      collegamento: z.object(signInFields),
      installabile: z.boolean(),
      gh: toolFound.extend({ sistemaTroppoVecchio: z.boolean() }),
      accesso: z.object({
        collegato: z.boolean(),
        account: z.string().nullable(),
        ambiti: z.array(z.string()),
        protocollo: z.string().optional(),
        fonte: z.string().optional(),
      }),
    })
    .meta({ id: 'CodeHostStatus' }),
  ({ tool, access, signIn, installable, installing }: HostStatus) => ({
    versioneSvc: installable ?? null,
    installazione: { inCorso: installing.isRunning, errore: installing.error },
    installabile: installable !== undefined,
    collegamento: signInOf(signIn),
    gh: {
      ...foundTool(tool),
      sistemaTroppoVecchio: tool?.isTooOld ?? false,
    },
    accesso: {
      collegato: access.isSignedIn,
      account: access.account,
      ambiti: access.scopes,
      ...(access.protocol !== null && { protocollo: access.protocol }),
      ...(access.source !== null && { fonte: access.source }),
    },
  }),
);

const CHECK_STATES = {
  passed: 'passato',
  failed: 'fallito',
  running: 'in-corso',
  skipped: 'saltato',
  cancelled: 'annullato',
} as const;

export const checks = z
  .object({
    voci: z.array(
      z.object({
        nome: z.string(),
        flusso: z.string().nullable(),
        stato: z.enum(CHECK_STATES),
        indirizzo: z.string().nullable(),
        inizio: z.string().nullable(),
        fine: z.string().nullable(),
      }),
    ),
    conteggi: z.object({
      passati: z.number().int(),
      falliti: z.number().int(),
      inCorso: z.number().int(),
      saltati: z.number().int(),
      annullati: z.number().int(),
    }),
    totale: z.number().int(),
  })
  .meta({ id: 'Checks' });

export const checksOf = ({ checks: list, counts }: Checks): z.output<typeof checks> => ({
  voci: list.map((check) => ({
    nome: check.name,
    flusso: check.workflow,
    stato: CHECK_STATES[check.state],
    indirizzo: check.url,
    inizio: check.started,
    fine: check.ended,
  })),
  conteggi: {
    passati: counts.passed,
    falliti: counts.failed,
    inCorso: counts.running,
    saltati: counts.skipped,
    annullati: counts.cancelled,
  },
  totale: list.length,
});

export const PULL_STATES = { open: 'open', closed: 'closed', merged: 'merged', unknown: 'sconosciuto' } as const;

export const pull = z
  .object({
    numero: z.number().int(),
    titolo: z.string(),
    url: z.string().nullable(),
    stato: z.enum(PULL_STATES),
    bozza: z.boolean(),
    daFork: z.boolean(),
    ramo: z.string(),
    base: z.string(),
    autore: z.string().nullable(),
    aggiornata: z.string().nullable(),
    creata: z.string().nullable(),
    revisione: z.string().nullable(),
    unione: z.string().nullable(),
    controlli: checks.optional(),
  })
  .meta({ id: 'PullRequest' });

export const pullOf = (one: PullRequest): z.output<typeof pull> => ({
  numero: one.number,
  titolo: one.title,
  url: one.url,
  stato: PULL_STATES[one.state],
  bozza: one.isDraft,
  daFork: one.isFromFork,
  ramo: one.branch,
  base: one.base,
  autore: one.author,
  aggiornata: one.updated,
  creata: one.created,
  revisione: one.review,
  unione: one.mergeable,
  ...(one.checks && { controlli: checksOf(one.checks) }),
});
