import type { Block, MadeDocument } from './blocks.ts';
import type { DocumentRequest } from './document-input.ts';
import type { RichFormat } from './formats.ts';
import type { WrittenDocument } from './in-worker.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { reportBlocks } from './report-blocks.ts';
import { csvText, markdownText, rowsOf } from './write-text.ts';

/** Generates a document's bytes. Runs in the worker: some input may make a library loop or use too much memory. */
export async function writeDocument(request: DocumentRequest, format: RichFormat): Promise<WrittenDocument> {
  const { title, body = null, rows = null, slides = null, report } = request;
  const document: MadeDocument = {
    title,
    body,
    rows,
    slides,
    theme: report?.theme ?? 'plain',
    footer: report?.footer ?? null,
    contents: request.contents ?? null,
    references: request.references ?? [],
    blocks: report ? reportBlocks(report.blocks) : blocksOf({ title, body, slides, rows }),
  };
  return { bytes: await bytesOf(document, format), notes: format === 'pdf' ? pdfNotes(document) : [] };
}

async function bytesOf(document: MadeDocument, format: RichFormat): Promise<Uint8Array> {
  switch (format) {
    case 'md':
      return Buffer.from(markdownText(document));
    case 'csv':
      return Buffer.from(csvText(rowsOf(document) ?? []));
    case 'html':
      return Buffer.from((await import('./write-html.ts')).htmlPage(document));
    case 'docx':
      return (await import('./write-docx.ts')).docxBytes(document);
    case 'xlsx':
      return (await import('./write-xlsx.ts')).xlsxBytes(document);
    case 'pptx':
      return (await import('./write-pptx.ts')).pptxBytes(document);
    case 'pdf':
      return (await import('./write-pdf.ts')).pdfBytes(document);
  }
}

/** Without a report: the title, then the Markdown, the slides or the rows. */
function blocksOf({ title, body, slides, rows }: Pick<MadeDocument, 'title' | 'body' | 'slides' | 'rows'>): Block[] {
  const own = body === null ? [] : markdownBlocks(body);
  const hasTitle = own[0]?.type === 'heading';
  const fromSlides = (slides ?? []).flatMap((slide): Block[] => [
    { type: 'heading', level: 2, runs: [{ text: slide.title }] },
    { type: 'list', items: slide.bullets.map((text) => ({ runs: [{ text }], level: 0, isOrdered: false })) },
  ]);
  const [header, ...rest] = (rows ?? []).map((row) =>
    row.map((value) => ({ value, runs: [{ text: value === null ? '' : String(value) }] })),
  );
  const table: Block[] = header ? [{ type: 'table', caption: null, header, rows: rest }] : [];
  return [
    ...(hasTitle ? [] : [{ type: 'heading' as const, level: 1, runs: [{ text: title }] }]),
    ...own,
    ...fromSlides,
    ...table,
  ];
}

/** Roboto has Latin, Greek and Cyrillic; other scripts would be blank. */
function pdfNotes(document: MadeDocument): string[] {
  const hasOthers =
    /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}/u.test(
      JSON.stringify(document).replaceAll(/[©®™]/g, ''),
    );
  return hasOthers
    ? ['Characters outside Latin, Greek and Cyrillic (and emoji) are blank in PDF; docx or html show them.']
    : [];
}
