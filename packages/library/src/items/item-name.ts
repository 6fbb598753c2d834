/**
 * Normalizes a name: compatibility forms are folded, control and forbidden characters become spaces, spaces are
 * collapsed, leading dots dropped. Undefined when no letter or digit is left.
 */
export function cleanItemName(name: string): string | undefined {
  const clean = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^[.\s]+/, '');
  return /[\p{L}\p{N}]/u.test(clean) ? clean : undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

export function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function mediaTypeOf(name: string): string {
  return TYPES[extensionOf(name)] ?? 'application/octet-stream';
}

/** Whether a desktop opens it in a viewer; files that could be executed are not passed on. */
export function isForViewing(name: string): boolean {
  return Object.hasOwn(TYPES, extensionOf(name)) && !['html', 'htm', 'svg', 'xml'].includes(extensionOf(name));
}
