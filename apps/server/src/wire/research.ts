import type { Recheck, ResearchDetail, ResearchRow } from '@fucina/host';
import { type Language, RESEARCH_NOT_READ, researchReason } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { instant } from './common.ts';

const balance = z
  .object({
    totali: z.int(),
    sostenute: z.int(),
    inParte: z.int(),
    nonSostenute: z.int(),
    contese: z.int(),
    nonVerificate: z.int(),
  })
  .meta({ id: 'ResearchBalance' });

const wireRow = z
  .object({
    id: z.string(),
    domanda: z.string().nullable(),
    question: z.string().nullable(),
    titolo: z.string(),
    nome: z.string().nullable(),
    stato: z.enum([
      'running',
      'paused',
      'done',
      'cancelled',
      'failed',
      'senza-rapporto',
      'bloccata-dal-permesso',
      'giri-esauriti',
    ]),
    avviataAlle: z.string().nullable(),
    conclusaAlle: z.string().nullable(),
    reportLibraryId: z.string().nullable(),
    motivo: z.string().nullable(),
    padreId: z.string().nullable(),
    ultimoMessaggio: z.string().nullable(),
    bilancio: balance.nullable(),
    proveDistinte: z.int().nullable(),
  })
  .meta({ id: 'Research' });

const spend = z.object({ tokens: z.int(), searches: z.int(), pages: z.int() });

const wireDetail = wireRow
  .extend({
    plan: z.array(z.string()),
    sources: z.array(
      z.object({
        url: z.string(),
        title: z.string(),
        publishedAt: z.string().nullable(),
        accessedAt: z.string().nullable(),
        /** Beyond the interface: whether the page was read, or only its search result. */
        obtained: z.enum(['page', 'snippet']),
      }),
    ),
    report: z.string().nullable(),
    contenutoRespinto: z.string().nullable(),
    passi: z.array(
      z.object({
        id: z.string(),
        tipo: z.enum(['search', 'read', 'synthesise', 'verify']),
        nome: z.string(),
        stato: z.enum(['pending', 'running', 'done', 'failed', 'interrupted']),
        spesa: spend,
      }),
    ),
    spesa: spend.nullable(),
    giornale: z.object({ eventi: z.int(), righeSaltate: z.int(), stato: z.string() }).nullable(),
    /** Beyond the interface: the claims of the report, each with its quote and the result of the check. */
    affermazioni: z.array(
      z.object({
        testo: z.string(),
        fonte: z.int(),
        passo: z.string(),
        verdetto: z.enum(['sostenuta', 'in-parte', 'non-sostenuta', 'contesa', 'non-verificata']),
      }),
    ),
  })
  .meta({ id: 'ResearchDetail' });

interface InLanguage {
  language: Language;
}

function rowOnWire({ meta, state, balance: counted, distinctProofs }: ResearchRow, language: Language) {
  return {
    id: meta.id,
    domanda: meta.domanda,
    question: meta.domanda,
    titolo: meta.titolo ?? meta.domanda,
    nome: meta.nome,
    stato: state,
    avviataAlle: meta.avviataAlle,
    conclusaAlle: meta.conclusaAlle,
    reportLibraryId: meta.reportLibraryId,
    motivo: researchReason(state, language),
    padreId: meta.padreId,
    ultimoMessaggio: meta.ultimoMessaggio,
    bilancio: counted,
    proveDistinte: distinctProofs,
  };
}

export const researchList = encoded(
  z.object({ ricerche: z.array(wireRow).nullable(), totale: z.int(), errore: z.string().nullable() }),
  ({ found, language }: InLanguage & { found: { rows: readonly ResearchRow[]; total: number } | null }) => ({
    ricerche: found && found.rows.map((row) => rowOnWire(row, language)),
    totale: found?.total ?? 0,
    errore: found ? null : RESEARCH_NOT_READ[language],
  }),
);

const VERDICTS = {
  supported: 'sostenuta',
  partial: 'in-parte',
  unsupported: 'non-sostenuta',
  contested: 'contesa',
} as const;

export const researchDetail = encoded(
  z.object({ ricerca: wireDetail, errore: z.string().nullable() }),
  ({ detail, language }: InLanguage & { detail: ResearchDetail }) => {
    const { run, record, journal } = detail;
    return {
      ricerca: {
        ...rowOnWire(detail, language),
        plan: run.plan.map(({ question }) => question),
        sources: (record?.sources ?? run.sources).map(({ url, title, publishedAt, accessedAt, obtained }) => ({
          url,
          title,
          publishedAt,
          accessedAt,
          obtained,
        })),
        report: detail.report,
        contenutoRespinto: detail.rejected,
        passi: run.steps.map(({ id, kind, label, state, spend: spent }) => ({
          id,
          tipo: kind,
          nome: label,
          stato: state,
          spesa: spent,
        })),
        spesa: journal && run.spend,
        giornale: journal && { eventi: journal.events, righeSaltate: journal.skipped, stato: journal.state },
        affermazioni: (record?.claims ?? []).map(({ text, sourceIndex, passage, checks }) => ({
          testo: text,
          fonte: sourceIndex,
          passo: passage,
          verdetto: checks.claimSupported ? VERDICTS[checks.claimSupported] : ('non-verificata' as const),
        })),
      },
      errore: null,
    };
  },
);

const recheck = renamed(z.object({ controllate: z.int(), cambiate: z.int(), bilancio: balance, alle: instant }), {
  controllate: 'checked',
  cambiate: 'changed',
  bilancio: 'balance',
  alle: 'at',
} satisfies Record<string, keyof Recheck>);

export const recheckAnswer = z.object({ riverifica: recheck });
