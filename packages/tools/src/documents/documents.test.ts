import { spawnSync } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ToolResult } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { contextOf, run, toolNamed } from '../../test/run-tool.ts';
import { FORMATS } from './formats.ts';

const BODY = `# Relazione sull'energia

Un paragrafo con **grassetto**, *corsivo*, \`codice\` e un [legame](https://example.org/a?b=1&c=2) — perché € 5 < 6.

- uno
- due
  1. dentro
  2. ancora
- [x] fatto

| Voce | Euro |
| --- | ---: |
| Gas | 12.5 |
| Luce & acqua | 7 |

> Una citazione.

\`\`\`
let x = 1 < 2;
\`\`\`

---

<script>alert(1)</script> ![foto](https://example.org/x.png) [male](javascript:alert(1))
`;

const REPORT = {
  theme: 'report',
  footer: 'Riservato',
  blocks: [
    { type: 'cover', title: 'Bilancio 2026', subtitle: 'Sintesi', lines: ['Ufficio studi'] },
    { type: 'h', level: 1, text: 'Risultati' },
    { type: 'p', text: 'Le entrate **crescono** del 4%.' },
    { type: 'note', tone: 'warning', text: 'Dati provvisori.' },
    { type: 'list', ordered: true, items: ['primo', 'secondo'] },
    {
      type: 'kpi',
      items: [
        { label: 'Entrate', value: 120, note: '+4%' },
        { label: 'Uscite', value: '80 M€' },
      ],
    },
    {
      type: 'table',
      caption: 'Per area',
      header: ['Area', 'Valore'],
      rows: [
        ['Nord', 10],
        ['Sud', 20.5],
      ],
    },
    {
      type: 'chart',
      kind: 'bar',
      title: 'Andamento',
      labels: ['2024', '2025'],
      series: [
        { name: 'A', values: [1, 2] },
        { name: 'B', values: [2, -1] },
      ],
    },
    { type: 'chart', kind: 'line', labels: ['x', 'y', 'z'], series: [{ name: 'C', values: [1, 5, 2] }] },
    { type: 'chart', kind: 'pie', labels: ['si', 'no'], series: [{ name: 'Voti', values: [3, 1] }] },
    { type: 'spacer' },
    { type: 'pb' },
    { type: 'h', level: 2, text: 'Fine' },
    { type: 'p', text: 'Ultima pagina.' },
  ],
};

const create = (folder: string, input: object): Promise<ToolResult> => run('document_create', input, contextOf(folder));
const read = async (folder: string, percorso: string, more: object = {}): Promise<string> =>
  (await run('leggi', { percorso, ...more }, contextOf(folder))).content;

const office = process.env['FUCINA_TEST_REQUIRE'] === '1' || spawnSync('soffice', ['--version']).status === 0;

describe('document_create', () => {
  test.each(['docx', 'pdf', 'html', 'md', 'pptx'])(
    'creates a formatted %s that reads back completely',
    async (format) => {
      await using dir = await tempDir();
      const made = await create(dir.path, { format, title: 'Bilancio', report: REPORT });
      expect(made.content).toMatch(new RegExp(`^Created Bilancio\\.${format} \\(`));
      const attachment = {
        nome: `Bilancio.${format}`,
        formato: format,
        byte: (await readFile(join(dir.path, `Bilancio.${format}`))).length,
      };
      expect(made.changes).toEqual([
        { path: `Bilancio.${format}`, before: null, after: expect.any(String), attachment },
      ]);
      const isText = format === 'html' || format === 'md';
      const text = isText
        ? await readFile(join(dir.path, `Bilancio.${format}`), 'utf8')
        : await read(dir.path, `Bilancio.${format}`, { righe: 400 });
      for (const words of [
        'Bilancio 2026',
        'Risultati',
        'crescono',
        'provvisori',
        'secondo',
        '120',
        'Nord',
        '20.5',
        'Ultima pagina',
      ]) {
        expect([words, text.includes(words)]).toEqual([words, true]);
      }
    },
  );

  test.each(['docx', 'pdf', 'html', 'pptx'])('writes Markdown as %s without active content', async (format) => {
    await using dir = await tempDir();
    await create(dir.path, { format, title: 'Energia', body: BODY });
    const text = await read(dir.path, `Energia.${format}`, { righe: 400 });
    for (const words of ['grassetto', 'perché € 5', 'dentro', 'Gas', '12.5', 'citazione', 'fatto']) {
      expect([words, text.includes(words)]).toEqual([words, true]);
    }
    const bytes = (await readFile(join(dir.path, `Energia.${format}`))).toString('latin1');
    expect(bytes).not.toMatch(/<script>|href="javascript|src="http/);
    // PowerPoint offers to repair a paragraph whose properties occur twice or after its text.
    for (const [name, part] of format === 'pptx' ? unzip(await readFile(join(dir.path, 'Energia.pptx'))) : []) {
      if (/slide\d+\.xml$/.test(name)) expect([name, /<a:r>(?:(?!<a:p>).)*<a:pPr/s.test(part)]).toEqual([name, false]);
    }
    if (format === 'html') expect(bytes).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
  });

  test('writes rows as csv, xlsx and json, and a formula stays text', async () => {
    await using dir = await tempDir();
    const rows = [
      ['Nome', 'Valore', 'Vero'],
      ['=1+1', -5, true],
      ['@SUM(A1)', '-7,5', false],
      ['a "b", c\nd', null, null],
      ['+39 055', 1e21, ''],
    ];
    for (const format of ['csv', 'xlsx', 'json', 'docx', 'pdf', 'html', 'md'])
      await create(dir.path, { format, title: 'Dati', rows });
    expect(await readFile(join(dir.path, 'Dati.csv'), 'utf8')).toBe(
      `Nome,Valore,Vero\r\n'=1+1,-5,true\r\n'@SUM(A1),"-7,5",false\r\n"a ""b"", c\nd",,\r\n'+39 055,1e+21,\r\n`,
    );
    expect(JSON.parse(await readFile(join(dir.path, 'Dati.json'), 'utf8'))).toEqual(rows);
    const sheet = await read(dir.path, 'Dati.xlsx');
    expect(sheet).toContain('--- sheet Dati ---');
    expect(sheet).toMatch(/=1\+1\\x09-5\\x09true|=1\+1\t-5\ttrue/);
    const parts = unzip(await readFile(join(dir.path, 'Dati.xlsx')));
    expect([...parts.values()].join('')).not.toContain('<f>');
    await create(dir.path, { format: 'csv', title: 'Testo', body: 'a;b\n=cmd|x;2\n' });
    expect(await readFile(join(dir.path, 'Testo.csv'), 'utf8')).toBe("a,b\r\n'=cmd|x,2\r\n");
    await create(dir.path, { format: 'xlsx', title: 'Tabelle [a]:*?', body: BODY });
    expect(await read(dir.path, 'Tabelle [a].xlsx')).toMatch(/--- sheet Relazione sull'energia ---[^]*Gas.*12\.5/);
  });

  test('creates slides and splits bullets that do not fit', async () => {
    await using dir = await tempDir();
    const slides = [
      { title: 'Inizio', bullets: [] },
      { title: 'Punti', bullets: Array.from({ length: 30 }, (_, index) => `punto ${index + 1}`) },
    ];
    await create(dir.path, { format: 'pptx', title: 'Corso', slides });
    const text = await read(dir.path, 'Corso.pptx');
    expect(text.match(/--- slide/g)).toHaveLength(4);
    expect(await read(dir.path, 'Corso.pptx', { pagina: 4 })).toMatch(/slide 4[^]*punto 30/);
    expect((await run('leggi', { percorso: 'Corso.pptx', pagina: 5 }, contextOf(dir.path))).isError).toBe(true);
  });

  test('writes text formats unchanged', async () => {
    await using dir = await tempDir();
    for (const format of FORMATS.filter(
      (one) => !['docx', 'xlsx', 'pptx', 'pdf', 'html', 'csv', 'json'].includes(one),
    )) {
      const made = await create(dir.path, { format, title: 'Prova', body: 'x = 1; // perché\n' });
      expect([format, made.isError, await readFile(join(dir.path, `Prova.${format}`), 'utf8')]).toEqual([
        format,
        undefined,
        'x = 1; // perché\n',
      ]);
    }
    expect(FORMATS.length).toBeGreaterThanOrEqual(40);
    await create(dir.path, { format: 'json', title: 'Dati', body: '{"a":[1]}' });
    expect(await readFile(join(dir.path, 'Dati.json'), 'utf8')).toBe('{"a":[1]}\n');
  });

  test('never overwrites an existing path', async () => {
    await using dir = await tempDir();
    await using other = await tempDir();
    await dir.write({ 'Nota.md': 'mine', 'Nota (2).md/x': '' });
    await symlink(join(other.path, 'target'), join(dir.path, 'Nota (3).md'));
    const names = await Promise.all(
      Array.from({ length: 6 }, () => create(dir.path, { format: 'md', title: 'Nota', body: 'new' })),
    );
    expect(names.map(({ content }) => content.split(' (')[0]).every((text) => text?.startsWith('Created Nota'))).toBe(
      true,
    );
    expect((await readdir(dir.path)).length).toBe(9);
    expect([await readFile(join(dir.path, 'Nota.md'), 'utf8'), await readdir(other.path)]).toEqual(['mine', []]);
  });

  test('converts a title to a file name, and the card shows exactly that', async () => {
    await using dir = await tempDir();
    const names: Record<string, string> = {
      '../../etc/passwd': 'etc passwd.md',
      '.npmrc': 'npmrc.md',
      'a/b\\c:d*e?"<>|': 'a b c d e.md',
      'a\nb\u202e\0c': 'a b c.md',
      CON: '_CON.md',
      '...': 'documento.md',
      ['è'.repeat(150)]: `${'è'.repeat(60)}.md`,
      '-rf': 'rf.md',
    };
    for (const [title, name] of Object.entries(names)) {
      const input = { format: 'md', title, body: 'x' };
      const tool = toolNamed('document_create');
      expect(tool.action(tool.input.parse(input), { folder: dir.path, testCommand: null })).toEqual({
        tipo: 'document_create',
        percorso: name,
        formato: 'md',
        titolo: expect.any(String),
        corpo: 'x',
      });
      expect((await create(dir.path, input)).changes?.[0]?.path).toBe(name);
    }
  });

  test('creates a control file only under its approved name', async () => {
    await using dir = await tempDir();
    expect((await create(dir.path, { format: 'json', title: 'mcp', body: '{}' })).changes?.[0]?.path).toBe('mcp.json');
    await using linked = await tempDir();
    await linked.write({ '.git/keep': '' });
    await symlink('.git/hooks', join(linked.path, 'Nota.sh'));
    const made = await create(linked.path, { format: 'sh', title: 'Nota', body: 'x' });
    expect([made.changes?.[0]?.path ?? 'refused', await readdir(join(linked.path, '.git'))]).toEqual([
      expect.stringMatching(/refused|Nota \(2\)\.sh/),
      ['keep'],
    ]);
  });

  test('reports missing or wrong arguments', async () => {
    await using dir = await tempDir();
    const refusal = async (input: object): Promise<string> => {
      const { content, isError } = await create(dir.path, input);
      expect(isError).toBe(true);
      return content;
    };
    expect(await refusal({ format: 'docx', title: 'x' })).toContain('Give body');
    expect(await refusal({ format: 'py', title: 'x', rows: [['a']] })).toContain('For py give body');
    expect(await refusal({ format: 'json', title: 'x', body: '{' })).toContain('not valid JSON');
    expect(await refusal({ format: 'csv', title: 'x', slides: [] })).toContain('rows');
    expect(await readdir(dir.path)).toEqual([]);
    const bad = [
      { format: 'exe' },
      { title: '  ' },
      { report: { blocks: [] } },
      { report: { blocks: Array(401).fill({ type: 'pb' }) } },
      { extra: 1 },
    ];
    for (const part of bad)
      expect(
        toolNamed('document_create').input.safeParse({ format: 'md', title: 'x', body: 'x', ...part }).success,
      ).toBe(false);
  });

  test('omits or reports characters a format cannot store', async () => {
    await using dir = await tempDir();
    for (const format of ['docx', 'xlsx', 'pptx', 'pdf', 'html']) {
      const made = await create(dir.path, {
        format,
        title: 'Segni',
        body: '# A\n\nuno\u0001\u0008due \ud800 漢字 😀\n\n| a |\n|---|\n| b\u0002 |\n',
        rows: [['a\u0003b']],
      });
      expect([format, made.isError, made.content.includes('blank in PDF')]).toEqual([
        format,
        undefined,
        format === 'pdf',
      ]);
      expect(await read(dir.path, `Segni.${format}`)).not.toContain('cannot be read');
    }
  });

  test('handles large inputs in bounded time', async () => {
    await using dir = await tempDir();
    const body = `${'> '.repeat(5000)}deep\n\n${'- a\n'.repeat(2000)}\n${'*'.repeat(20_000)}\n\n${'[a](b'.repeat(5000)}`;
    const made = await create(dir.path, { format: 'html', title: 'Profondo', body });
    expect(made.content).toMatch(/^Created|^The document was not made/);
    const rows = Array.from({ length: 3000 }, (_, index) => [index, `riga ${index}`, index / 3]);
    expect((await create(dir.path, { format: 'pdf', title: 'Lungo', rows })).content).toMatch(/^Created|took too long/);
  });

  test('opens in LibreOffice', async () => {
    if (!office) return void process.stderr.write('soffice is not installed: documents were only read back\n');
    await using dir = await tempDir();
    for (const format of ['docx', 'pptx', 'xlsx']) {
      await create(dir.path, { format, title: `F-${format}`, report: REPORT });
      const { status } = spawnSync(
        'soffice',
        [
          '--headless',
          `-env:UserInstallation=file://${dir.path}/profile`,
          '--convert-to',
          'pdf',
          '--outdir',
          dir.path,
          join(dir.path, `F-${format}.${format}`),
        ],
        { timeout: 120_000 },
      );
      const text = await read(dir.path, `F-${format}.pdf`, { righe: 400 });
      expect([format, status, text.includes('Nord')]).toEqual([format, 0, true]);
    }
  });
});

/** The parts of an archive, by its central directory. */
function unzip(bytes: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  for (let at = bytes.indexOf('PK\u0001\u0002'); at >= 0; at = bytes.indexOf('PK\u0001\u0002', at + 4)) {
    const [method, size, nameLength, offset] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const raw = bytes.subarray(start, start + size);
    parts.set(name, (method === 8 ? inflateRawSync(raw) : raw).toString());
  }
  return parts;
}
void [writeFile, deflateRawSync];
