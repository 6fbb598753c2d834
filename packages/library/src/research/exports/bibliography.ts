import type { ReportRecord } from '../report.ts';

/** The bibliographic fields of a source. */
export interface Entry {
  url: string;
  title: string;
  /** ISO day. */
  publishedAt: string | null;
  accessedAt: string | null;
}

export function bibliographyOf({ sources }: ReportRecord): Entry[] {
  return sources.map(({ url, title, publishedAt, accessedAt }) => ({
    url,
    title: title.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim(),
    publishedAt: publishedAt?.slice(0, 10) ?? null,
    accessedAt: accessedAt?.slice(0, 10) ?? null,
  }));
}

const TEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};
const tex = (text: string): string => text.replaceAll(/[\\{}$&#%_~^]/g, (sign) => TEX[sign] as string);
/** Inside `\url{}` only characters that would end it are removed. */
const texUrl = (url: string): string =>
  url.replaceAll(/[\\{}\s%]/g, (sign) => `\\%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

export function bibText(entries: readonly Entry[]): string {
  const texts = entries.map(({ url, title, publishedAt, accessedAt }, at) => {
    const fields = [
      ['title', `{${tex(title)}}`],
      ['howpublished', `\\url{${texUrl(url)}}`],
      ...(publishedAt ? [['year', publishedAt.slice(0, 4)]] : []),
      ...(accessedAt ? [['note', `Accessed ${accessedAt}`]] : []),
    ];
    const lines = fields.map(([name, value]) => `  ${name} = {${value}}`).join(',\n');
    return `@misc{source${at + 1},\n${lines}\n}`;
  });
  return `${texts.join('\n\n')}\n`;
}

export function risText(entries: readonly Entry[]): string {
  const records = entries.map(({ url, title, publishedAt, accessedAt }) =>
    [
      'TY  - ELEC',
      `TI  - ${title}`,
      `UR  - ${url.replaceAll(/\s/g, '%20')}`,
      ...(publishedAt ? [`PY  - ${publishedAt.slice(0, 4)}`, `DA  - ${publishedAt.replaceAll('-', '/')}`] : []),
      ...(accessedAt ? [`Y2  - ${accessedAt.replaceAll('-', '/')}`] : []),
      'ER  - ',
    ].join('\r\n'),
  );
  return `${records.join('\r\n')}\r\n`;
}

export function sourcesText(title: string, entries: readonly Entry[]): string {
  const lines = entries.map(({ url, title: name, publishedAt, accessedAt }, at) => {
    const days = [publishedAt && `published ${publishedAt}`, accessedAt && `accessed ${accessedAt}`].filter(Boolean);
    return `${at + 1}. ${escapeMarkdown(name)}${days.length ? ` (${days.join(', ')})` : ''}\n   <${url.replaceAll(/[<>\s]/g, encodeURIComponent)}>`;
  });
  return `# ${escapeMarkdown(title)}\n\n${lines.join('\n')}\n`;
}

/** Text without Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|]/g, '\\$&').replaceAll(/\s+/g, ' ');
}
