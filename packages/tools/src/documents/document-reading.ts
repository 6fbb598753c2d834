import type { ToolImage, ToolResult } from '@fucina/shared';
import { imageSize } from 'image-size';
import { sizeText } from '../cut.ts';
import { windowText } from '../line-window.ts';
import { failure } from '../located-path.ts';
import type { ReadNeeds } from '../needs.ts';
import type { DocumentText } from './document-text.ts';
import { readBounds, readInProcess, workerFailure } from './in-worker.ts';
import type { DocumentSource } from './reading-process.ts';

export interface ReadWindow {
  /** Only this page, sheet or slide, from 1. */
  pagina?: number | undefined;
  da?: number | undefined;
  righe?: number | undefined;
  /** Of the text. */
  maxBytes?: number;
}

const ZIP_START = Buffer.from('PK\u0003\u0004', 'latin1');
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
interface ImageKind {
  start: string;
  type: string;
  mimeType: ToolImage['mimeType'];
  name: string;
  /** A provider rejects the whole request for a truncated image. */
  isWhole(bytes: Buffer): boolean;
}

const IMAGES: readonly ImageKind[] = [
  {
    start: '89504e470d0a1a0a',
    type: 'png',
    mimeType: 'image/png',
    name: 'PNG',
    isWhole: (bytes) => bytes.includes('IEND'),
  },
  {
    start: 'ffd8ff',
    type: 'jpg',
    mimeType: 'image/jpeg',
    name: 'JPEG',
    isWhole: (bytes) => bytes.lastIndexOf('ffd9', undefined, 'hex') > 0,
  },
  {
    start: '47494638',
    type: 'gif',
    mimeType: 'image/gif',
    name: 'GIF',
    isWhole: (bytes) => bytes.lastIndexOf(';') > 13,
  },
  {
    start: '52494646',
    type: 'webp',
    mimeType: 'image/webp',
    name: 'WebP',
    isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
  },
];

/** An image that the model can be shown, a large one as a copy; undefined for anything else, damaged images included. */
export async function readImage(label: string, bytes: Buffer, needs: ReadNeeds): Promise<ToolResult | undefined> {
  const start = bytes.subarray(0, 8).toString('hex');
  const kind = IMAGES.find((one) => start.startsWith(one.start));
  if (!kind) return undefined;
  let size: { width: number; height: number; type?: string };
  try {
    size = imageSize(bytes);
  } catch {
    return undefined; // a header without an image: treated as any other binary file
  }
  if (size.type !== kind.type || size.width < 1 || size.height < 1 || !kind.isWhole(bytes)) return undefined;
  const facts = `${kind.name} image, ${size.width} × ${size.height} pixels, ${sizeText(bytes.length)}`;
  if (bytes.length > MAX_IMAGE_BYTES) {
    const copy = await needs.smallerPicture?.(bytes, MAX_IMAGE_BYTES);
    if (!copy)
      return failure(
        `${label}: ${facts}. It is too large to be shown (limit 5 MiB). Make a smaller copy with a command.`,
      );
    const { mimeType, bytes: shown, width, height } = copy;
    const images = [{ mimeType, bytes: shown }];
    return { content: `${label}: ${facts}. Shown as a copy of ${width} × ${height} pixels.`, images };
  }
  return { content: `${label}: ${facts}.`, images: [{ mimeType: kind.mimeType, bytes }] };
}

export interface DocumentFile extends DocumentSource {
  label: string;
  /** Its first kibibyte. */
  start: Buffer;
}

/** The text of a PDF or Office document; undefined when the bytes are neither. */
export async function readDocument(
  { label, start, ...document }: DocumentFile,
  { pagina, ...lines }: ReadWindow,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  const isPdf = start.includes('%PDF-');
  if (!isPdf && !start.subarray(0, 4).equals(ZIP_START)) return undefined;
  let read: DocumentText | undefined;
  try {
    read = await readInProcess(isPdf ? { task: 'read-pdf', page: pagina } : { task: 'read-office' }, document, signal);
  } catch (error) {
    return failure(`${label} cannot be read: ${workerFailure(error, readBounds(document.sizeBytes).memoryMiB)}.`);
  }
  if (!read) return undefined;
  const { kind, notes } = read;
  const chosen = pagina === undefined || isPdf ? read.pages : read.pages.slice(pagina - 1, pagina);
  if (chosen.length === 0) return failure(`${label} (${kind}) has no part ${pagina}; it has ${read.pages.length}.`);
  const text = chosen
    .map((page) => (page.title === null ? page.text : `--- ${page.title} ---\n${page.text}`))
    .join('\n');
  const about = [`${label}: ${kind}, ${sizeText(document.sizeBytes)}`, ...notes];
  return { content: windowText(text, { ...lines, notes: about, subject: 'text' }) };
}
