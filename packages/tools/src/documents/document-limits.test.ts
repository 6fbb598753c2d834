import { existsSync, readFileSync } from 'node:fs';
import { setInterval as every } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { archive, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { pdf, stream } from '../../test/pdf.ts';
import { contextOf, run } from '../../test/run-tool.ts';
import { readBounds } from './in-worker.ts';

const MIB = 1024 * 1024;
const hasProc = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);
const onLinux = hasProc ? test : test.skip;

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has just ended
  }
};

/** The processes that read documents for this one. */
function readers(): number[] {
  const children = textOf(`/proc/${process.pid}/task/${process.pid}/children`).split(' ').filter(Boolean);
  return children.map(Number).filter((pid) => textOf(`/proc/${pid}/cmdline`).includes('document-reader'));
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  for await (const _tick of every(5)) {
    if (isSo()) return;
    if (performance.now() > end) throw new Error(`not within 30 s: ${isSo.toString()}`);
  }
}

/** The result of `act`, and the most that a reader had in memory meanwhile, as the system counts it. */
async function watched<Result>(act: Promise<Result>): Promise<{ result: Result; peakMiB: number }> {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of readers())
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0));
  }, 5);
  try {
    return { result: await act, peakMiB: peak / 1024 };
  } finally {
    clearInterval(timer);
  }
}

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
/** Pages with this content; each has the further objects beside it. */
function pages(contents: readonly Buffer[], more: readonly Buffer[] = []): Buffer {
  const kids = contents.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const head = ['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Count ${contents.length}/Kids[${kids}]>>`, FONT];
  const each = contents.flatMap((content, at) => [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + at * 2} 0 R>>`,
    content,
  ]);
  return pdf([...head, ...each, ...more]);
}
const packed = (bytes: Buffer): Buffer => stream(deflateSync(bytes, { level: 9 }), '/Filter/FlateDecode');
const page = (text: string): Buffer => packed(Buffer.from(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`));

const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const docx = (body: string, more: { name: string; content: Buffer }[] = []): Buffer =>
  archive([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${TYPES}"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    { name: 'word/document.xml', content: `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>` },
    ...more,
  ]);
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

const xlsx = (cells: string): Buffer =>
  archive([
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet xmlns="${SHEET}"><sheetData>${cells}</sheetData></worksheet>`,
    },
  ]);
const cell = (place: string): string => `<row r="${place.replace(/\D/g, '')}"><c r="${place}"><v>7</v></c></row>`;

async function look(name: string, bytes: Buffer, signal = new AbortController().signal) {
  await using dir = await tempDir();
  await dir.write({ [name]: bytes });
  return await run('leggi', { percorso: name }, contextOf(dir.path, { signal }));
}

describe('a hostile document', () => {
  const nested = '<w:tbl><w:tr><w:tc>';
  onLinux.each([
    [
      'a PDF of a megabyte whose text is 128 times as long',
      'a.pdf',
      () => pages([packed(Buffer.alloc(128 * MIB, '(x) Tj\n'))]),
    ],
    [
      'a PDF packed twice',
      'b.pdf',
      () => pages([stream(deflateSync(deflateSync(Buffer.alloc(300 * MIB))), '/Filter[/FlateDecode/FlateDecode]')]),
    ],
    ['a spreadsheet of a kilobyte with one far cell', 'a.xlsx', () => xlsx(cell('A1') + cell('XFD1048576'))],
    ['a deep document', 'a.docx', () => docx(nested.repeat(200_000))],
    ['a document of many paragraphs', 'b.docx', () => docx(paragraph('x').repeat(1_500_000))],
  ] as const)('stays below 256 MiB, and does not disturb another one: %s', async (_what, name, make) => {
    const bytes = make();
    expect(bytes.length).toBeLessThan(1.2 * MIB);
    const neighbor = look('good.pdf', pages([page('Prima')]));
    const { result, peakMiB } = await watched(look(name, bytes));
    expect(result.content).toMatch(/^(?:\[.*(?:PDF|Word|Excel)|.* cannot be read: )/);
    expect(peakMiB).toBeGreaterThan(30);
    expect(peakMiB).toBeLessThan(256);
    expect((await neighbor).content).toContain('Prima');
    await until(() => readers().length === 0);
  });

  onLinux('is refused with the limit that it reached', async () => {
    const { content, isError } = await look('a.xlsx', xlsx(cell('A1') + cell('XFD1048576')));
    expect(content).toBe('a.xlsx cannot be read: it needs more memory than a document of its size may use (216 MiB).');
    expect(isError).toBe(true);
  });

  onLinux('ends when its reading is cancelled', async () => {
    const stop = new AbortController();
    const reading = look('a.pdf', pages([packed(Buffer.alloc(64 * MIB, '(x) Tj\n'))]), stop.signal);
    await until(() => readers().length === 1);
    stop.abort();
    expect((await reading).content).toContain('cannot be read: it was stopped');
    await until(() => readers().length === 0);
  });
});

test('memory and time grow with the size of a document, to 1 GiB', () => {
  expect(readBounds(0)).toEqual({ memoryMiB: 216, timeoutMs: 30_000 });
  expect(readBounds(MIB)).toEqual({ memoryMiB: 216, timeoutMs: 30_300 });
  expect(readBounds(2 * MIB)).toEqual({ memoryMiB: 248, timeoutMs: 30_600 });
  expect(readBounds(26 * MIB).memoryMiB).toBe(1016);
  expect(readBounds(27 * MIB).memoryMiB).toBe(1024);
  expect(readBounds(256 * MIB)).toEqual({ memoryMiB: 1024, timeoutMs: 106_800 });
});

describe('a large document', () => {
  test('of 200 MB is read', async () => {
    const image = Buffer.alloc(66 * MIB, 'picture ');
    const more = [image, image, image].map((bytes) => stream(bytes, '/Type/XObject/Subtype/Image'));
    const bytes = pages(['Prima', 'Seconda'].map(page), more);
    expect(bytes.length).toBeGreaterThan(200_000_000);
    const { result, peakMiB } = await watched(look('large.pdf', bytes));
    expect(result.content).toMatch(/^\[large\.pdf: PDF document, [^\]]+\]\n[^]*Prima\n[^]*Seconda$/);
    expect(peakMiB).toBeLessThan(1024);
  });

  test('with pictures is read above the limit of text files', async () => {
    // Not packed any further.
    let value = 1;
    const picture = Buffer.from(
      Uint32Array.from({ length: 9 * MIB }, () => (value = (value * 1_664_525 + 1_013_904_223) >>> 0)).buffer,
    );
    const bytes = docx(paragraph('Ciao'), [{ name: 'word/media/image1.bin', content: picture }]);
    expect(bytes.length).toBeGreaterThan(32 * MIB);
    expect((await look('large.docx', bytes)).content).toMatch(/Word document.*\n {4}1\tCiao$/);
  });

  test('of another kind is still refused', async () => {
    const { content } = await look('large.txt', Buffer.alloc(32 * MIB + 1, 'x'));
    expect(content).toContain('is too large (limit 32 MiB, for a PDF or Office document 256 MiB)');
  });
});
