import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import type { ReportRecord } from '../report.ts';
import { parseReport } from '../report.ts';
import { bibliographyOf, bibText, risText, sourcesText } from './bibliography.ts';
import { fileName } from './export.ts';
import { htmlPage } from './html-page.ts';

const require = createRequire(import.meta.url);
const { Cite } = require('@citation-js/core') as {
  Cite: new (text: string, options?: { forceType: string }) => { data: Record<string, unknown>[] };
};
require('@citation-js/plugin-bibtex');
require('@citation-js/plugin-ris');

const HOSTILE = 'A & B {50%} of $1 #_~^ \\input{/etc/passwd} } @misc{evil, title={x}} \n<script>alert(1)</script>';
const record: ReportRecord = {
  version: 1,
  question: 'Q',
  summary: 'S',
  judge: null,
  claims: [{ text: 'c', sourceIndex: 1, passage: '', checks: { claimSupported: null } }],
  sources: [
    {
      url: 'https://forge.example/a?b=%20{c}',
      title: HOSTILE,
      publishedAt: '2025-03-04',
      accessedAt: null,
      obtained: 'page',
    },
    {
      url: 'https://forge.example/b',
      title: 'Plain',
      publishedAt: null,
      accessedAt: '2026-01-02T03:04:05Z',
      obtained: 'page',
    },
  ],
};
const entries = bibliographyOf(record);

describe('a bibliography', () => {
  test('in BibTeX parses to the same two sources with any title', () => {
    const { data } = new Cite(bibText(entries));
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({ id: 'source1', issued: { 'date-parts': [[2025]] } });
    expect(data[0]?.title).toContain('A & B {50%} of $1 #_');
    expect(data[1]).toMatchObject({ title: 'Plain', URL: 'https://forge.example/b' });
  });

  test('in RIS parses to the same two sources, and a title cannot start a field', () => {
    const { data } = new Cite(risText(entries), { forceType: '@ris/file' });
    expect(data.map(({ type, URL }) => [type, URL])).toEqual([
      ['webpage', 'https://forge.example/a?b=%20{c}'],
      ['webpage', 'https://forge.example/b'],
    ]);
    const [twisted] = bibliographyOf({
      ...record,
      sources: [{ ...record.sources[1], title: 'a\r\nER  - \r\nTY  - BOOK' }],
    } as ReportRecord);
    expect(risText([twisted as never]).match(/^(TY|ER) {2}- /gm)).toHaveLength(2);
  });

  test('as text escapes titles', () => {
    expect(sourcesText('T', entries)).toContain('\\<script\\>alert(1)\\</script\\>');
    expect(sourcesText('T', entries)).toContain('(accessed 2026-01-02)');
  });
});

test.each([
  ['a/b: c?', 'a b c'],
  ['..hidden', 'hidden'],
  ['日'.repeat(40), '日'.repeat(20)],
  ['???', 'ricerca'],
  ['\u0000', 'ricerca'],
])('names the file of the question %j %j', (question, name) => {
  expect(fileName(question)).toBe(name);
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '![p](https://track.example/x.png)',
  '[a](data:text/html,x)',
  '[a](https://x.example/"onmouseover="alert(1))',
])('a page runs and loads nothing for %j', async (body) => {
  const page = await htmlPage({ title: `${body}</title>`, body, notice: null });
  const inside = page.slice(page.indexOf('<main>'));
  expect(inside).not.toMatch(/<script|<img|href="(javascript|data):|" ?onmouseover/i);
  expect(page.match(/<\/title>/g)).toHaveLength(1);
});

describe('a report', () => {
  const fenced = (data: unknown): string =>
    `# T\n\nwords\n\n\`\`\`svc-research-record\n${JSON.stringify(data)}\n\`\`\`\n`;

  test.each([
    ['no claim', { ...record, claims: [] }],
    ['no source', { ...record, sources: [] }],
    ['a claim on a source that is not there', { ...record, claims: [{ ...record.claims[0], sourceIndex: 3 }] }],
    ['a source that is no address', { ...record, sources: [{ ...record.sources[0], url: 'here' }] }],
    ['another version', { ...record, version: 2 }],
  ])('whose record has %s is rejected', (_name, data) => {
    expect(parseReport(fenced(data))).toEqual({ body: '# T\n\nwords', record: undefined });
  });

  test('with a record differs from one without', () => {
    expect(parseReport(fenced(record))).toEqual({ body: '# T\n\nwords', record });
    expect(parseReport('only words').record).toBeUndefined();
    expect(parseReport('x\n```svc-research-record\n{broken\n```\n').record).toBeUndefined();
  });
});
