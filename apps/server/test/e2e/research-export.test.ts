import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type ResearchFixture, researchFixture } from '../research-fixture.ts';

// Never synchronous: the server runs in this process and closes connections that were idle while it was blocked.
const run = promisify(execFile);

let fixture: ResearchFixture;
let dir: TempDir;
let done: string;
beforeAll(async () => {
  fixture = await researchFixture();
  dir = await tempDir();
  done = await fixture.start('How is steel quenched: in oil / water?');
  await fixture.ended(done);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

async function exported(id: string, query: Record<string, string>) {
  const url = new URL(`api/v1/sessions/${fixture.session}/research/${id}/esporta`, fixture.server.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { TOKEN } = await import('../harness.ts');
  const response = await fetch(url, { headers: { cookie: `svc_token=${TOKEN}`, 'accept-language': 'en' } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
}

/** Skipped with a reason when the program is not installed; the full check requires it. */
async function hasProgram(name: string): Promise<boolean> {
  const isInstalled = await run(name, ['--version']).then(
    () => true,
    (error) => error.code !== 'ENOENT',
  );
  const isThere = isInstalled || process.env.FUCINA_TEST_REQUIRE === '1';
  if (!isThere) process.stderr.write(`${name} is not installed: what it would open was not opened\n`);
  return isThere;
}

covers('research.export', 'exports eight formats as attachments named after the question', async () => {
  const types: Record<string, string> = {
    md: 'text/markdown; charset=utf-8',
    html: 'text/html; charset=utf-8',
    pdf: 'application/pdf',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    json: 'application/json; charset=utf-8',
    bib: 'application/x-bibtex; charset=utf-8',
    ris: 'application/x-research-info-systems; charset=utf-8',
    fonti: 'text/markdown; charset=utf-8',
  };
  for (const [formato, type] of Object.entries(types)) {
    const { status, headers } = await exported(done, { formato });
    const ending = formato === 'fonti' ? '-fonti.md' : `.${formato}`;
    expect([formato, status, headers.get('content-type')]).toEqual([formato, 200, type]);
    expect(headers.get('content-disposition')).toContain(
      `attachment; filename="How is steel quenched in oil water${ending}"`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('Markdown and HTML have the same text, and the HTML has no script and loads nothing', async () => {
  const { text } = await exported(done, { formato: 'md' });
  expect(text).toMatch(/^# How steel is quenched\n/);
  expect(text).not.toContain('svc-research-record');
  const page = (await exported(done, { formato: 'html' })).text;
  expect(page).toContain('<h2>Cooling</h2>');
  expect(page).toContain('prefers-color-scheme: dark');
  expect(page).not.toMatch(/<script|<img|<link|src=/i);
});

test('JSON contains claims, verdicts and usage', async () => {
  const data = JSON.parse((await exported(done, { formato: 'json' })).text);
  expect(data).toMatchObject({
    schema: 'svc.research-export.v1',
    ricerca: { id: done, stato: 'done', bilancio: { totali: 3 }, proveDistinte: 2, spesa: { searches: 3, pages: 3 } },
    record: { version: 1, claims: [{ sourceIndex: 1 }, {}, { passage: '' }], sources: [{ obtained: 'page' }, {}, {}] },
  });
});

test('the PDF has a title page, contents, numbered references and page numbers in three themes', async () => {
  if (!(await hasProgram('pdftotext'))) return;
  const pages: Record<string, number> = {};
  for (const tono of ['report', 'brief', 'dossier']) {
    const file = join(dir.path, `${tono}.pdf`);
    await writeFile(file, (await exported(done, { formato: 'pdf', tono })).bytes);
    const text = (await run('pdftotext', ['-layout', file, '-'])).stdout;
    pages[tono] = text.split('\f').length - 1;
    expect(text).toContain('How steel is quenched');
    expect(text).toMatch(/1\.\s+About oil/);
    expect(text).toMatch(/1 \/ \d/);
    expect([tono, text.includes('Contents')]).toEqual([tono, tono !== 'brief']);
    expect([tono, text.includes('thin blades crack in it')]).toEqual([tono, tono === 'dossier']);
    await run('pdftoppm', ['-r', '40', '-png', file, join(dir.path, tono)]);
  }
  expect(pages.brief).toBeLessThan(pages.report as number);
});

// LibreOffice needs up to 100 s for its first document on a busy machine.
test('the Word document has headings, contents and a footnote for each citation', async () => {
  if (!(await hasProgram('soffice'))) return;
  const file = join(dir.path, 'report.docx');
  await writeFile(file, (await exported(done, { formato: 'docx' })).bytes);
  const profile = `-env:UserInstallation=file://${dir.path}/profile`;
  await run(
    'soffice',
    ['--headless', profile, '--convert-to', 'pdf:writer_pdf_Export', '--outdir', join(dir.path, 'out'), file],
    { timeout: 100_000 },
  );
  const text = (await run('pdftotext', ['-layout', join(dir.path, 'out/report.pdf'), '-'])).stdout;
  expect(text).toContain('Cooling');
  // Once in the list of sources, once in the footnote of its page.
  expect(text.match(/About oil – https:\/\/forge\.example\/oil/g)?.length).toBeGreaterThanOrEqual(2);
}, 240_000);

refuses('research.export', 'RESEARCH_INVALID', 'for an unknown format or theme', async () => {
  for (const query of [{ formato: 'exe' }, { formato: 'pdf', tono: 'shout' }, {}] as Record<string, string>[]) {
    const reply = await fixture.server.call('GET', `/sessions/${fixture.session}/research/${done}/esporta`, { query });
    expect(reply).toMatchObject({ status: 400, code: 'RESEARCH_INVALID' });
  }
});

test('a report without a record is exported with a notice and has no bibliography', async () => {
  const file = join(fixture.server.project.path, '.svc/research', done, 'rapporto.md');
  await writeFile(file, '# Only words\n\nNothing that can be checked.\n');
  expect((await exported(done, { formato: 'md' })).text).toContain('Not checked');
  expect((await exported(done, { formato: 'html' })).text).toContain('Not checked');
  for (const formato of ['json', 'bib', 'ris', 'fonti']) {
    expect(JSON.parse((await exported(done, { formato })).text).error.code).toBe('RESEARCH_CONFLICT');
  }
});
