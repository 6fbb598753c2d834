import { nameOf } from './paths.ts';

export type FileKind =
  | 'text'
  | 'markdown'
  | 'page'
  | 'table'
  | 'image'
  | 'vector'
  | 'pdf'
  | 'document'
  | 'presentation'
  | 'binary';

const KINDS: Readonly<Record<string, FileKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  html: 'page',
  htm: 'page',
  xhtml: 'page',
  csv: 'table',
  tsv: 'table',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  bmp: 'image',
  ico: 'image',
  svg: 'vector',
  pdf: 'pdf',
  docx: 'document',
  pptx: 'presentation',
};

/** Kinds whose source can also be shown. */
export const KINDS_WITH_SOURCE: ReadonlySet<FileKind> = new Set(['markdown', 'page', 'table', 'vector']);

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
};

const endingOf = (path: string): string => {
  const name = nameOf(path);
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
};

export const imageTypeOf = (path: string): string => IMAGE_TYPES[endingOf(path)] ?? 'application/octet-stream';

/** The viewer of a file: by its name, and by its first bytes if the name is unknown or unreliable. */
export function kindOf(path: string, head: Uint8Array): FileKind {
  const named = KINDS[endingOf(path)];
  if (named === 'pdf') return startsWith(head, '%PDF-') ? 'pdf' : textOrBinary(head);
  if (named === 'document' || named === 'presentation') return startsWith(head, 'PK') ? named : textOrBinary(head);
  if (named === 'image') return head.includes(0) || head.length > 0 ? named : 'text';
  return textOrBinary(head) === 'binary' ? 'binary' : (named ?? 'text');
}

function textOrBinary(head: Uint8Array): 'text' | 'binary' {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return !isWide && head.includes(0) ? 'binary' : 'text';
}

const startsWith = (head: Uint8Array, text: string): boolean =>
  [...text].every((sign, at) => head[at] === sign.charCodeAt(0));
