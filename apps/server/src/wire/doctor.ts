import type { DoctorReport, RecordedProblem, SetupView } from '@fucina/host';
import { doctorWords, type Language } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { instant, iso } from './common.ts';

const REPORT_STATES = { ready: 'pronto', attention: 'attenzione', broken: 'guasto' } as const;
const ROW_STATES = { ok: 'ok', attention: 'attenzione', error: 'errore', unavailable: 'non-disponibile' } as const;

const wireReport = z
  .object({
    schema: z.literal('svc.doctor.v1'),
    stato: z.enum(['pronto', 'attenzione', 'guasto']),
    versione: z.string(),
    generatoAlle: z.string(),
    voci: z.array(
      z.object({
        id: z.string(),
        titolo: z.string(),
        stato: z.enum(['ok', 'attenzione', 'errore', 'non-disponibile']),
        dettaglio: z.string(),
        azione: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'DoctorReport' });

/** The report with the language of its texts. */
export const doctorReport = encoded(
  wireReport,
  ({ report, language }: { report: DoctorReport; language: Language }) => ({
    schema: 'svc.doctor.v1' as const,
    stato: REPORT_STATES[report.state],
    versione: report.version,
    generatoAlle: iso(report.generatedAt),
    voci: report.rows.map((row) => {
      const { title, detail, action } = doctorWords(row, language);
      return { id: row.id, titolo: title, stato: ROW_STATES[row.state], dettaglio: detail, azione: action };
    }),
  }),
);

export const problem = renamed(
  z
    .object({
      riferimento: z.string(),
      codice: z.string(),
      operazione: z.string(),
      quando: instant,
      messaggio: z.string(),
      dettaglio: z.string(),
      causa: z.string().nullable(),
    })
    .meta({ id: 'RecordedProblem' }),
  {
    riferimento: 'reference',
    codice: 'code',
    operazione: 'operation',
    quando: 'at',
    messaggio: 'message',
    dettaglio: 'detail',
    causa: 'cause',
  } satisfies Record<string, keyof RecordedProblem>,
);

export const setupState = encoded(
  z
    .object({
      introDisattivato: z.boolean(),
      provider: z.object({
        pronto: z.boolean(),
        conChiave: z.array(z.string()),
        conIndirizzo: z.array(z.string()),
        agenteEsterno: z.boolean(),
        localeConfigurato: z.boolean(),
      }),
      cartelleProgetto: z.number().int(),
    })
    .meta({ id: 'SetupState' }),
  (state: SetupView) => ({
    introDisattivato: state.isIntroOff,
    provider: {
      pronto: state.isProviderReady,
      conChiave: state.withKey,
      conIndirizzo: state.withAddress,
      agenteEsterno: state.hasExternalAgent,
      localeConfigurato: state.isLocalConfigured,
    },
    cartelleProgetto: state.projectFolders,
  }),
);
