import * as z from 'zod';
import { VERDICTS, type Verdict } from './journal.ts';
import type { RunState } from './run-state.ts';

const record = z.object({
  version: z.literal(1),
  question: z.string(),
  summary: z.string(),
  /** The model that checked it; null when none did. */
  judge: z.string().nullable(),
  claims: z
    .array(
      z.object({
        text: z.string(),
        /** From 1. */
        sourceIndex: z.int().min(1),
        /** '' when the quote was not found in the source. */
        passage: z.string(),
        checks: z.object({ claimSupported: z.enum(VERDICTS).nullable() }),
      }),
    )
    .min(1),
  sources: z
    .array(
      z.object({
        url: z.url(),
        title: z.string(),
        publishedAt: z.string().nullable(),
        accessedAt: z.string().nullable().default(null),
        obtained: z.enum(['page', 'snippet']),
      }),
    )
    .min(1),
});
/** The verifiable data of a report: its claims, their sources, and the result of the check. */
export type ReportRecord = z.output<typeof record>;

export interface Balance {
  totali: number;
  sostenute: number;
  inParte: number;
  nonSostenute: number;
  contese: number;
  nonVerificate: number;
}

const FENCE = 'svc-research-record';

/** The stored report: the text first, then the machine-readable record. */
export function reportText(run: RunState, facts: { question: string; judge: string }): string {
  const { draft, sources } = run;
  if (!draft) return '';
  const data: ReportRecord = {
    version: 1,
    question: facts.question,
    summary: draft.summary,
    judge: facts.judge,
    claims: draft.claims.map(({ text, sourceIndex, passage }, at) => ({
      text,
      sourceIndex,
      passage,
      checks: { claimSupported: run.verdicts.get(at) ?? null },
    })),
    sources: sources.map(({ url, title, publishedAt, accessedAt, obtained }) => ({
      url,
      title,
      publishedAt,
      accessedAt,
      obtained,
    })),
  };
  const json = JSON.stringify(data, null, 2).replaceAll('`', '\\u0060');
  const references = sources.map(({ url, title }, at) => `${at + 1}. ${title} <${url}>`);
  const parts = [
    `# ${oneLine(draft.title)}`,
    draft.summary.trim(),
    draft.report.trim().replaceAll(`\`\`\`${FENCE}`, '```'),
    `## Sources\n\n${references.join('\n')}`,
    `\`\`\`${FENCE}\n${json}\n\`\`\``,
  ];
  return `${parts.join('\n\n')}\n`;
}

const FENCED = new RegExp(`\\n\`\`\`${FENCE}\\n([^\`]*)\\n\`\`\`\\s*$`);

/** The text, and the record if it contains a claim and a source. */
export function parseReport(text: string): { body: string; record: ReportRecord | undefined } {
  const match = FENCED.exec(text);
  if (!match) return { body: text.trim(), record: undefined };
  const body = text.slice(0, match.index).trim();
  try {
    const { data } = record.safeParse(JSON.parse(match[1] ?? ''));
    const isWhole = data?.claims.every(({ sourceIndex }) => sourceIndex <= data.sources.length);
    return { body, record: isWhole ? data : undefined };
  } catch {
    return { body, record: undefined };
  }
}

const COUNTED: Record<Verdict, keyof Balance> = {
  supported: 'sostenute',
  partial: 'inParte',
  unsupported: 'nonSostenute',
  contested: 'contese',
};

export function balanceOf({ claims }: Pick<ReportRecord, 'claims'>): Balance {
  const balance: Balance = {
    totali: claims.length,
    sostenute: 0,
    inParte: 0,
    nonSostenute: 0,
    contese: 0,
    nonVerificate: 0,
  };
  for (const { checks } of claims) {
    balance[checks.claimSupported ? COUNTED[checks.claimSupported] : 'nonVerificate'] += 1;
  }
  return balance;
}

/** Sources with a quote that supports a claim. */
export function distinctProofs({ claims }: Pick<ReportRecord, 'claims'>): number {
  return new Set(claims.filter(({ passage }) => passage !== '').map(({ sourceIndex }) => sourceIndex)).size;
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
