import type { DocumentText } from './document-text.ts';
import { htmlText } from './html-text.ts';
import { readZip } from './zip.ts';

/** The Office format of a ZIP archive, by its contents; undefined when it is not an Office document. */
export async function readOffice(bytes: Buffer): Promise<DocumentText | undefined> {
  const parts = await readZip(bytes, (name) =>
    /^(word\/document\.xml|xl\/workbook\.xml|ppt\/.*\.(xml|rels))$/.test(name),
  );
  if (parts.has('word/document.xml')) return readDocx(bytes);
  if (parts.has('xl/workbook.xml')) return readXlsx(bytes);
  if (parts.has('ppt/presentation.xml')) return (await import('./read-pptx.ts')).readPptx(parts);
  return undefined;
}

async function readDocx(buffer: Buffer): Promise<DocumentText> {
  const { default: mammoth } = await import('mammoth');
  const noImages = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { convertImage: noImages, externalFileAccess: false, includeEmbeddedStyleMap: false },
  );
  return { kind: 'Word document', pages: [{ title: null, text: htmlText(value) }], notes: [] };
}

type Cell = string | number | boolean | Date | null;

async function readXlsx(buffer: Buffer): Promise<DocumentText> {
  const { default: readExcelFile } = await import('read-excel-file/node');
  const sheets = await readExcelFile(buffer);
  const pages = sheets.map(({ sheet, data }) => {
    const rows = (data as Cell[][]).map((row) => row.map(cellText).join('\t').trimEnd());
    return { title: `sheet ${sheet}`, text: rows.join('\n') };
  });
  return { kind: 'Excel workbook', pages, notes: ['cells of a row are separated by tabs'] };
}

function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(cell).replaceAll(/[\t\r\n]+/g, ' ');
}
