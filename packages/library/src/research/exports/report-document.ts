import { textStart } from '@fucina/shared';
import type { ReportRecord } from '../report.ts';
import type { ResearchDetail } from '../runs.ts';
import { EXPORT_WORDS, type ExportLanguage, type ExportTone } from './export-words.ts';

interface Dress {
  tone: ExportTone;
  language: ExportLanguage;
}

/** Input of the document writer: texts are Markdown. */
export interface ReportDocument {
  title: string;
  contents?: string;
  references: readonly string[];
  report: {
    theme: 'report' | 'plain';
    footer: string;
    blocks: (
      | { type: 'cover'; title: string; subtitle: string; lines: string[] }
      | { type: 'h'; level: 1 | 2 | 3; text: string }
      | { type: 'p'; text: string }
      | { type: 'note'; tone: 'warning' | 'info'; text: string }
      | { type: 'list'; ordered: boolean; items: string[] }
      | { type: 'kpi'; items: { label: string; value: number }[] }
      | { type: 'pb' }
      | { type: 'table'; header: string[]; rows: string[][] }
    )[];
  };
}
export type DocumentWriter = (document: ReportDocument, format: 'pdf' | 'docx') => Promise<Uint8Array>;

const TEXT_CHARS = 19_000;
const LINE_CHARS = 1_900;

/**
 * `report`: everything; `brief`: the summary and the sources, on few pages; `dossier`: also each claim with its
 * passage.
 */
export function reportDocument(
  { meta, run, balance, record }: ResearchDetail,
  { body, tone, notice, language }: Dress & { body: string; notice: string | null },
): ReportDocument {
  const title = meta.titolo ?? run.title ?? meta.domanda;
  const references = (record?.sources ?? []).map(({ title: name, url }) => textStart(`${name} – ${url}`, LINE_CHARS));
  const day = (meta.conclusaAlle ?? meta.avviataAlle).slice(0, 10);
  const words = EXPORT_WORDS[language];
  const isBrief = tone === 'brief';
  const text = isBrief && record ? `# ${words.summary}\n\n${record.summary}` : withoutTitleAndSources(body);
  const lines = [day, ...(record?.judge ? [record.judge] : [])];
  return {
    title: textStart(title, 200),
    ...(!isBrief && { contents: words.contents }),
    references,
    report: {
      theme: isBrief ? 'plain' : 'report',
      footer: textStart(title, 120),
      blocks: [
        { type: 'cover', title: textStart(title, LINE_CHARS), subtitle: textStart(meta.domanda, LINE_CHARS), lines },
        ...(notice === null ? [] : [{ type: 'note' as const, tone: 'warning' as const, text: notice }]),
        ...(balance ? [{ type: 'kpi' as const, items: kpis(balance, language) }] : []),
        ...pieces(text).map((piece) => ({ type: 'p' as const, text: piece })),
        ...(tone === 'dossier' && record ? claimBlocks(record, language) : []),
        ...(references.length
          ? [
              { type: 'h' as const, level: 1 as const, text: words.sources },
              { type: 'list' as const, ordered: true, items: references.slice(0, 200) },
            ]
          : []),
      ],
    },
  };
}

function kpis(balance: NonNullable<ResearchDetail['balance']>, language: ExportLanguage) {
  const { totali, sostenute, inParte, nonSostenute, contese, nonVerificate } = balance;
  const counts = [totali, sostenute, inParte, nonSostenute, contese, nonVerificate];
  return EXPORT_WORDS[language].counts.map((label, at) => ({ label, value: counts[at] ?? 0 }));
}

function claimBlocks({ claims }: ReportRecord, language: ExportLanguage): ReportDocument['report']['blocks'] {
  const words = EXPORT_WORDS[language];
  return [
    { type: 'pb' },
    { type: 'h', level: 1, text: words.claims },
    {
      type: 'table',
      header: [...words.columns],
      rows: claims.map(({ text, checks, passage, sourceIndex }) => [
        textStart(text, LINE_CHARS),
        checks.claimSupported ? words.verdicts[checks.claimSupported] : words.unverified,
        textStart(passage, LINE_CHARS),
        `[${sourceIndex}]`,
      ]),
    },
  ];
}

/** The title is on the cover, and the numbered list of sources is at the end. */
function withoutTitleAndSources(body: string): string {
  return body.replace(/^# .*\n+/, '').replace(/\n+## Sources\n[\s\S]*$/, '');
}

/** No block may exceed the writer's limit: longer text is split between paragraphs. */
function pieces(text: string): string[] {
  const made: string[] = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    const last = made.at(-1);
    if (last !== undefined && last.length + paragraph.length + 2 <= TEXT_CHARS) {
      made[made.length - 1] = `${last}\n\n${paragraph}`;
    } else made.push(textStart(paragraph, TEXT_CHARS));
  }
  return made;
}
