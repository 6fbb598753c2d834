import type { Checks, HostStatus, PullRequest, SignIn } from '@fucina/host';
import type { ErrorCode } from '@fucina/shared';
import * as z from 'zod';
import { encoded, mapped, renamed } from '../http/renamed.ts';

/** The errors of every operation that uses gh. */
export const TOOL_ERRORS = [
  'HOST_STORE_UNAVAILABLE',
  'HOST_COMMAND_FAILED',
  'HOST_OUTPUT_INVALID',
  'HOST_OUTPUT_TOO_LARGE',
  'HOST_TIMEOUT',
] as const satisfies readonly ErrorCode[];

/** The same, on a session's repository. */
export const PULL_ERRORS = [
  ...TOOL_ERRORS,
  'HOST_NOT_INSTALLED',
  'HOST_NOT_LOGGED_IN',
  'HOST_NOT_ON_HOST',
  'HOST_GIT_FAILED',
  'GIT_DETACHED',
  'GIT_NO_REMOTE',
] as const satisfies readonly ErrorCode[];

const signInFields = {
  stato: mapped({
    fermo: 'idle',
    avvio: 'starting',
    'in-attesa': 'waiting',
    collegato: 'signed-in',
    fallito: 'failed',
    scaduto: 'expired',
    annullato: 'cancelled',
  }),
  codice: z.string().nullable(),
  indirizzo: z.string().nullable(),
  errore: z.string().nullable(),
};
const signInNames = { stato: 'state', codice: 'code', indirizzo: 'address', errore: 'error' } as const satisfies Record<
  string,
  keyof SignIn
>;
const signIn = renamed(z.object(signInFields), signInNames);

export const signInStarted = renamed(z.object({ ok: z.literal(true), ...signInFields }), signInNames);

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
      collegamento: signIn,
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
  ({ tool, access, signIn: pending, installable, installing }: HostStatus) => ({
    versioneSvc: installable ?? null,
    installazione: { inCorso: installing.isRunning, errore: installing.error },
    installabile: installable !== undefined,
    collegamento: pending,
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

const check = renamed(
  z.object({
    nome: z.string(),
    flusso: z.string().nullable(),
    stato: mapped({
      passato: 'passed',
      fallito: 'failed',
      'in-corso': 'running',
      saltato: 'skipped',
      annullato: 'cancelled',
    }),
    indirizzo: z.string().nullable(),
    inizio: z.string().nullable(),
    fine: z.string().nullable(),
  }),
  {
    nome: 'name',
    flusso: 'workflow',
    stato: 'state',
    indirizzo: 'url',
    inizio: 'started',
    fine: 'ended',
  } satisfies Record<string, keyof Checks['checks'][number]>,
);

const counts = renamed(
  z.object({
    passati: z.number().int(),
    falliti: z.number().int(),
    inCorso: z.number().int(),
    saltati: z.number().int(),
    annullati: z.number().int(),
  }),
  { passati: 'passed', falliti: 'failed', inCorso: 'running', saltati: 'skipped', annullati: 'cancelled' },
);

export const checks = encoded(
  z.object({ voci: z.array(check), conteggi: counts, totale: z.number().int() }),
  ({ checks: list, counts: counted }: Checks) => ({ voci: list, conteggi: counted, totale: list.length }),
).meta({ id: 'Checks' });

export const pullState = mapped({ open: 'open', closed: 'closed', merged: 'merged', sconosciuto: 'unknown' });

export const pull = renamed(
  z
    .object({
      numero: z.number().int(),
      titolo: z.string(),
      url: z.string().nullable(),
      stato: pullState,
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
    .meta({ id: 'PullRequest' }),
  {
    numero: 'number',
    titolo: 'title',
    stato: 'state',
    bozza: 'isDraft',
    daFork: 'isFromFork',
    ramo: 'branch',
    autore: 'author',
    aggiornata: 'updated',
    creata: 'created',
    revisione: 'review',
    unione: 'mergeable',
    controlli: 'checks',
  } satisfies Record<string, keyof PullRequest>,
);
