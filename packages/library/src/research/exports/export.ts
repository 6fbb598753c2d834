import { AppError } from '@fucina/shared';
import { parseReport } from '../report.ts';
import type { ResearchDetail } from '../runs.ts';
import { bibliographyOf, bibText, risText, sourcesText } from './bibliography.ts';
import { EXPORT_WORDS, type ExportLanguage, type ExportTone } from './export-words.ts';
import { htmlPage } from './html-page.ts';
import { type DocumentWriter, reportDocument } from './report-document.ts';

export const EXPORT_FORMATS = ['md', 'html', 'pdf', 'docx', 'json', 'bib', 'ris', 'fonti'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  /** Paper size of a pdf. */
  tone: ExportTone;
  language: ExportLanguage;
}

export interface Exported {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

export interface ExportNeeds {
  writeDocument: DocumentWriter;
}

const TYPES: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  json: 'application/json; charset=utf-8',
  bib: 'application/x-bibtex; charset=utf-8',
  ris: 'application/x-research-info-systems; charset=utf-8',
  fonti: 'text/markdown; charset=utf-8',
};

/** Exports one report. RESEARCH_CONFLICT for a run without a text, and for bibliographies without a record. */
export async function exportResearch(
  { writeDocument }: ExportNeeds,
  detail: ResearchDetail,
  { format, tone, language }: ExportOptions,
): Promise<Exported> {
  const bytes = await bytesOf(detail, { format, tone, language, writeDocument });
  const ending = format === 'fonti' ? '-fonti.md' : `.${format}`;
  return { name: `${fileName(detail.meta.domanda)}${ending}`, mediaType: TYPES[format], bytes };
}

async function bytesOf(
  detail: ResearchDetail,
  { format, tone, language, writeDocument }: ExportNeeds & ExportOptions,
): Promise<Uint8Array> {
  const { record } = detail;
  const text = detail.report ?? detail.rejected;
  if (text === null) throw new AppError('RESEARCH_CONFLICT', { reason: 'no-report' });
  const { body } = parseReport(text);
  const notice = record ? null : EXPORT_WORDS[language].noChecks;
  switch (format) {
    case 'md':
      return Buffer.from(notice === null ? `${body}\n` : `> ${notice}\n\n${body}\n`);
    case 'html':
      return Buffer.from(await htmlPage({ title: titleOf(detail), body, notice }));
    case 'pdf':
    case 'docx':
      return writeDocument(reportDocument(detail, { body, tone, notice, language }), format);
    default:
  }
  if (!record) throw new AppError('RESEARCH_CONFLICT', { reason: 'no-record' });
  const entries = bibliographyOf(record);
  switch (format) {
    case 'json':
      return Buffer.from(`${JSON.stringify(jsonOf(detail), null, 2)}\n`);
    case 'bib':
      return Buffer.from(bibText(entries));
    case 'ris':
      return Buffer.from(risText(entries));
    case 'fonti':
      return Buffer.from(sourcesText(titleOf(detail), entries));
  }
}

const titleOf = ({ meta, run }: ResearchDetail): string => meta.titolo ?? run.title ?? meta.domanda;

function jsonOf(detail: ResearchDetail) {
  const { meta, state, balance, distinctProofs, run, record } = detail;
  return {
    schema: 'svc.research-export.v1',
    ricerca: {
      id: meta.id,
      domanda: meta.domanda,
      titolo: titleOf(detail),
      stato: state,
      modello: record?.judge ?? null,
      avviataAlle: meta.avviataAlle,
      conclusaAlle: meta.conclusaAlle,
      bilancio: balance,
      proveDistinte: distinctProofs,
      spesa: run.spend,
      giudice: record?.judge ?? null,
    },
    record,
  };
}

const NAME_BYTES = 60;

/** The question, at most 60 bytes, without characters that file systems reject. */
export function fileName(question: string): string {
  const clean = question
    .normalize('NFC')
    .replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '');
  let name = '';
  for (const sign of clean) {
    if (Buffer.byteLength(name + sign) > NAME_BYTES) break;
    name += sign;
  }
  return name.trim().replace(/^[.\s]+/, '') || 'ricerca';
}
