import { deflateSync } from 'node:zlib';
import { systemAmbient } from '@fucina/shared';
import { archive, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { pdf, stream } from '../../test/pdf.ts';
import { contextOf, run } from '../../test/run-tool.ts';
import { createReadTool } from '../read-tool.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
);
const WEBP = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64');

async function look(files: Record<string, Buffer | string>, percorso: string, more: object = {}) {
  await using dir = await tempDir();
  await dir.write(files);
  return await run('leggi', { percorso, ...more }, contextOf(dir.path));
}

describe('reading an image', () => {
  test.each([
    ['a.png', PNG, 'image/png', 'PNG image, 3 × 2 pixels'],
    ['a.gif', GIF, 'image/gif', 'GIF image, 1 × 1 pixels'],
    ['a.jpg', JPEG, 'image/jpeg', 'JPEG image, 1 × 1 pixels'],
    ['a.webp', WEBP, 'image/webp', 'WebP image, 1 × 1 pixels'],
    ['without-ending', PNG, 'image/png', 'PNG image'],
  ] as const)('shows it with its size (%s)', async (name, bytes, mimeType, words) => {
    const { content, images, isError } = await look({ [name]: bytes }, name);
    expect([content, isError]).toEqual([expect.stringContaining(words), undefined]);
    expect(images).toEqual([{ mimeType, bytes }]);
  });

  test('shows a copy of one above 5 MiB, and one of 5 MiB as it is', async () => {
    await using dir = await tempDir();
    const limit = 5 * 1024 * 1024;
    const at = Buffer.concat([PNG, Buffer.alloc(limit - PNG.length)]);
    await dir.write({ 'at.png': at, 'above.png': Buffer.concat([at, Buffer.alloc(1)]) });
    const asked: number[] = [];
    const copy = { mimeType: 'image/jpeg' as const, bytes: JPEG, width: 2, height: 1 };
    const tool = createReadTool({
      ambient: systemAmbient('silent'),
      environment: process.env,
      async smallerPicture(bytes, maxBytes) {
        asked.push(bytes.length, maxBytes);
        return copy;
      },
    });
    const read = async (percorso: string) => tool.run({ percorso }, contextOf(dir.path));
    const { images = [] } = await read('at.png');
    expect(images.map(({ bytes }) => at.equals(bytes))).toEqual([true]);
    expect(asked).toEqual([]);
    expect(await read('above.png')).toEqual({
      content: 'above.png: PNG image, 3 × 2 pixels, 5.0 MiB. Shown as a copy of 2 × 1 pixels.',
      images: [{ mimeType: 'image/jpeg', bytes: JPEG }],
    });
    expect(asked).toEqual([limit + 1, limit]);
  });

  test('reports a large or damaged one without showing it', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    expect(await look({ 'a.png': large }, 'a.png')).toEqual({
      content: expect.stringContaining('limit 5 MiB'),
      isError: true,
    });
    const cases: Record<string, Buffer> = {
      'half.png': PNG.subarray(0, 20),
      'half.jpg': JPEG.subarray(0, 12),
      'half.webp': WEBP.subarray(0, 14),
      'sound.wav': Buffer.concat([Buffer.from('RIFF\u0024\u0000\u0000\u0000WAVEfmt '), Buffer.alloc(20)]),
      'gif.gif': Buffer.from('GIF89a\u0000'),
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const { content, images } = await look({ [name]: bytes }, name);
      expect([name, content, images]).toEqual([name, expect.stringContaining('is not text'), undefined]);
    }
  });
});

const page = (text: string): Buffer =>
  stream(deflateSync(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`), '/Filter/FlateDecode');
function pages(contents: readonly Buffer[]): Buffer {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${contents.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  for (const [index, content] of contents.entries()) {
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + index * 2} 0 R>>`,
      content,
    );
  }
  return pdf(objects);
}

describe('reading a PDF', () => {
  test('returns its text page by page', async () => {
    const file = { 'a.pdf': pages(['Prima', 'Seconda', 'Terza'].map(page)) };
    const { content } = await look(file, 'a.pdf');
    expect(content).toMatch(/^\[a\.pdf: PDF document, [^\]]+\]\n {4}1\t--- page 1 of 3 ---\n {4}2\tPrima\n/);
    expect(content).toContain('Terza');
    expect((await look(file, 'a.pdf', { pagina: 2 })).content).toMatch(/page 2 of 3 ---\n {4}2\tSeconda$/);
    expect((await look(file, 'a.pdf', { da: 6 })).content).toMatch(/6\tTerza$/);
    expect((await look({ 'scan.pdf': pages([stream(Buffer.from('0 0 10 10 re f'))]) }, 'scan.pdf')).content).toContain(
      'no text',
    );
  });

  test('truncates many pages and says where', async () => {
    const file = {
      'a.pdf': pages(Array.from({ length: 300 }, (_, index) => page(`Pagina ${index} ${'x'.repeat(60)}`))),
    };
    const { content } = await look(file, 'a.pdf');
    expect(content).toContain('Pagina 299');
    await using dir = await tempDir();
    await dir.write(file);
    const small = await run('leggi', { percorso: 'a.pdf' }, contextOf(dir.path, { windowTokens: 10_000 }));
    expect(Buffer.byteLength(small.content)).toBeLessThanOrEqual(3750);
    expect(small.content).toMatch(/\[lines 1-\d+ of 600; continue with da=\d+\]/);
  });

  test('reports a damaged, encrypted or malicious file', async () => {
    const loop = pdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 99/Kids[2 0 R 2 0 R]>>']);
    const bomb = pages([stream(deflateSync(Buffer.alloc(400_000_000, ' '), { level: 9 }), '/Filter/FlateDecode')]);
    const cases: Record<string, Buffer> = {
      'header.pdf': Buffer.from('%PDF-1.7\n\u0000\u0001'),
      'half.pdf': pages([page('Prima')]).subarray(0, 300),
      'loop.pdf': loop,
      'bomb.pdf': bomb,
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const before = performance.now();
      const { content } = await look({ [name]: bytes }, name);
      expect([name, content]).toEqual([name, expect.stringMatching(/cannot be read|PDF document/)]);
      expect(performance.now() - before).toBeLessThan(45_000);
    }
  });
});

describe('reading an Office document', () => {
  const docx = (document: string | Buffer): Buffer =>
    archive([
      {
        name: '[Content_Types].xml',
        content:
          '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      },
      {
        name: '_rels/.rels',
        content:
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      },
      { name: 'word/document.xml', content: document },
    ]);
  const body = (inner: string): string =>
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${inner}</w:body></w:document>`;

  test('uses the content, whatever the file extension', async () => {
    const table =
      '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>uno &amp; due</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>tre</w:t></w:r></w:p></w:tc></w:tr></w:tbl>';
    const { content } = await look(
      { 'a.bin': docx(body(`<w:p><w:r><w:t>Ciao &lt;tu&gt;</w:t></w:r></w:p>${table}`)) },
      'a.bin',
    );
    expect(content).toMatch(/Word document.*\n {4}1\tCiao <tu>\n {4}2\t\| uno & due \| tre \|$/);
  });

  test('rejects decompression bombs, inconsistent and cyclic files', async () => {
    const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 12 }, (_, index) => `<!ENTITY a${index} "${`&a${index || ''};`.repeat(10)}">`).join('')}]>`;
    const swollen = Buffer.alloc(200_000_000, 0x20);
    const pptx = (text: string): Buffer => archive([{ name: 'ppt/presentation.xml', content: text }]);
    const cases: Record<string, Buffer> = {
      'swollen.docx': docx(swollen),
      'lies.docx': archive([
        { name: 'word/document.xml', content: Buffer.alloc(100_000_000, 0x20), claimedBytes: 1000 },
      ]),
      'many.docx': archive(Array.from({ length: 12_000 }, (_, index) => ({ name: `f${index}`, content: '' }))),
      'entities.docx': docx(`${entities}${body('<w:p><w:r><w:t>&a11;</w:t></w:r></w:p>')}`),
      'entities.pptx': pptx(`${entities}<p:presentation>&a11;</p:presentation>`),
      'deep.pptx': pptx(`${'<a>'.repeat(200_000)}`),
      'half.docx': docx(body('<w:p/>')).subarray(0, 200),
      'empty.xlsx': archive([{ name: 'xl/workbook.xml', content: '<x/>' }]),
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const before = performance.now();
      const { content } = await look({ [name]: bytes }, name);
      expect([name, content]).toEqual([
        name,
        expect.stringMatching(/cannot be read|Word document|PowerPoint|is not text/),
      ]);
      expect(content.length).toBeLessThan(4000);
      expect(performance.now() - before).toBeLessThan(45_000);
    }
    expect((await look({ 'plain.zip': archive([{ name: 'a\nb.txt', content: 'x' }]) }, 'plain.zip')).content).toContain(
      'is not text: ZIP archive',
    );
  });

  test('does not use the server’s memory', async () => {
    const before = process.memoryUsage().heapUsed;
    await look({ 'a.docx': docx(body('<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(2000))) }, 'a.docx');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });
});
