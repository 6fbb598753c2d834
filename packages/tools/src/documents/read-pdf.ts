import { getDocumentProxy } from 'unpdf';
import type { DocumentText } from './document-text.ts';

const MAX_PAGES = 2000;
const MAX_CHARS = 4_000_000;

interface Item {
  str?: string;
  hasEOL?: boolean;
}

/** The text of each page, in document order. A page that contains only images is reported as such. */
export async function readPdf(bytes: Uint8Array, onlyPage: number | undefined): Promise<DocumentText> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), {
    // Fonts, images and scripts are not needed for the text.
    disableFontFace: true,
    isEvalSupported: false,
    useSystemFonts: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  const total = pdf.numPages;
  const first = Math.min(onlyPage ?? 1, total);
  const last = Math.min(onlyPage ?? total, total, first + MAX_PAGES - 1);
  const pages: DocumentText['pages'] = [];
  let chars = 0;
  let empty = 0;
  for (let number = first; number <= last && chars < MAX_CHARS; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = (items as Item[]).map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
    page.cleanup();
    chars += text.length;
    if (text.trim() === '') empty += 1;
    pages.push({ title: `page ${number} of ${total}`, text: text.trim() });
  }
  const shown = first + pages.length - 1;
  return {
    kind: 'PDF document',
    pages,
    notes: [
      ...(onlyPage === undefined && shown < total ? [`only the first ${shown} of ${total} pages were read`] : []),
      ...(empty > 0 ? [`${empty} of the pages read have no text (pictures or scans)`] : []),
    ],
  };
}
