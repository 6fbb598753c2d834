import type {
  NetworkModes,
  NetworkToolView,
  SandboxRefusalRecord,
  SandboxView,
  SelfTestReport,
  StoredRule,
} from '@fucina/host';
import { doctorWords, type Language } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { iso, sessionId } from './common.ts';

/** A project by one of its sessions or by its folder; neither means every project. */
const placeFields = { sessionId: sessionId.optional(), cartella: z.string().min(1).max(4_096).optional() };
const placeNames = { cartella: 'path' } as const;
export const sandboxPlace = renamed(z.strictObject(placeFields), placeNames);

export const networkMode = mapped({ spenta: 'off', elenco: 'listed', aperta: 'open' });
const MODES = { off: 'spenta', listed: 'elenco', open: 'aperta' } as const;

export const newRule = renamed(z.strictObject({ ...placeFields, regola: z.string().max(4_096) }), {
  ...placeNames,
  regola: 'text',
});

export const networkSetting = renamed(
  z.strictObject({
    ...placeFields,
    ambito: mapped({ ovunque: 'everywhere', progetto: 'project', sessione: 'session' }),
    modalita: networkMode.nullable(),
  }),
  { ...placeNames, ambito: 'scope', modalita: 'mode' },
);

const wireMode = z.enum(['spenta', 'elenco', 'aperta']);

const wireModes = z
  .object({
    ovunque: wireMode.nullable(),
    progetto: wireMode.nullable(),
    sessione: wireMode.nullable(),
    effettiva: wireMode,
  })
  .meta({ id: 'SandboxNetwork' });

const modesOf = ({ everywhere, project, session, effective }: NetworkModes): z.output<typeof wireModes> => ({
  ovunque: everywhere && MODES[everywhere],
  progetto: project && MODES[project],
  sessione: session && MODES[session],
  effettiva: MODES[effective],
});

export const networkModes = encoded(wireModes, modesOf);

/** Why no sandbox works, in the terms of the doctor's report. */
export const sandboxView = encoded(
  z
    .object({
      meccanismo: z.enum(['bubblewrap', 'seatbelt', 'none']),
      funziona: z.boolean(),
      problema: z.string().nullable(),
      consiglio: z.string().nullable(),
      conToken: z.boolean(),
      cartella: z.string().nullable(),
      rete: wireModes,
    })
    .meta({ id: 'Sandbox' }),
  ({ view, language }: { view: SandboxView; language: Language }) => {
    const { kind, isWorking, problem, detail } = view.state;
    const row = { id: 'sandbox', finding: problem ?? 'unsupported', params: { reason: detail } };
    const words = isWorking ? undefined : doctorWords(row, language);
    return {
      meccanismo: kind,
      funziona: isWorking,
      problema: words?.detail ?? null,
      consiglio: words?.action ?? null,
      conToken: !view.isWithoutToken,
      cartella: view.folder,
      rete: modesOf(view.network),
    };
  },
);

export const sandboxRule = encoded(
  z
    .object({
      id: z.string(),
      regola: z.string(),
      ambito: z.enum(['ovunque', 'progetto']),
      cartella: z.string().nullable(),
      aggiuntaAlle: z.string(),
    })
    .meta({ id: 'SandboxRule' }),
  ({ id, rule, folder, addedAt }: StoredRule) => ({
    id,
    regola: rule,
    ambito: folder === null ? ('ovunque' as const) : ('progetto' as const),
    cartella: folder,
    aggiuntaAlle: iso(addedAt),
  }),
);

const KINDS = { network: 'rete', read: 'lettura', write: 'scrittura' } as const;
const REASONS = {
  off: 'rete-spenta',
  rule: 'regola',
  'not-allowed': 'non-ammesso',
  private: 'privato',
  'own-port': 'porta-di-fucina',
  unresolved: 'non-trovato',
  malformed: 'malformato',
  unreachable: 'non-raggiungibile',
  proxy: 'proxy',
  hidden: 'nascosto',
  'read-only': 'sola-lettura',
} as const;

export const sandboxRefusal = encoded(
  z
    .object({
      tipo: z.enum(['rete', 'lettura', 'scrittura']),
      oggetto: z.string(),
      motivo: z.enum([
        'rete-spenta',
        'regola',
        'non-ammesso',
        'privato',
        'porta-di-fucina',
        'non-trovato',
        'malformato',
        'non-raggiungibile',
        'proxy',
        'nascosto',
        'sola-lettura',
      ]),
      regola: z.string().nullable(),
      sessionId: z.string(),
      cartella: z.string(),
      alle: z.string(),
    })
    .meta({ id: 'SandboxRefusal' }),
  ({ kind, subject, reason, rule, sessionId: ofSession, folder, at }: SandboxRefusalRecord) => ({
    tipo: KINDS[kind],
    oggetto: subject,
    motivo: REASONS[reason],
    regola: rule,
    sessionId: ofSession,
    cartella: folder,
    alle: iso(at),
  }),
);

const OUTCOMES = { blocked: 'bloccato', allowed: 'consentito', skipped: 'saltato' } as const;

export const sandboxTest = encoded(
  z
    .object({
      funziona: z.boolean(),
      tentativi: z.array(
        z.object({
          id: z.string(),
          atteso: z.enum(['bloccato', 'consentito']),
          esito: z.enum(['bloccato', 'consentito', 'saltato']),
          durataMs: z.number().int(),
        }),
      ),
    })
    .meta({ id: 'SandboxTest' }),
  ({ isSandboxed, results }: SelfTestReport) => ({
    funziona: isSandboxed,
    tentativi: results.map(({ id, expected, outcome, durationMs }) => ({
      id,
      atteso: OUTCOMES[expected],
      esito: OUTCOMES[outcome],
      durataMs: durationMs,
    })),
  }),
);

/** English: an extension of the interface. */
const scope = z.enum(['everywhere', 'project', 'session']);
const tool = z.enum(['naviga', 'web_search', 'browser_open']);
const toolPlace = { sessionId: sessionId.optional(), folder: z.string().min(1).max(4_096).optional() };

export const networkToolPlace = renamed(z.strictObject(toolPlace), { folder: 'path' });

export const networkToolSetting = renamed(z.strictObject({ ...toolPlace, tool, scope, denied: z.boolean() }), {
  folder: 'path',
  denied: 'isDenied',
});

export const networkTools = encoded(
  z.array(z.object({ tool, denied: z.boolean(), deniedBy: z.array(scope) }).meta({ id: 'NetworkTool' })),
  (rows: readonly NetworkToolView[]) =>
    rows.map(({ tool: name, isDenied, deniedBy }) => ({ tool: name, denied: isDenied, deniedBy: [...deniedBy] })),
);
