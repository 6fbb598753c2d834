import { isPortableName, PathError, parseFileName } from '@fucina/shared';

const MAX_BYTES = 120;

/** A file name that is valid on every system, made from a title: no path, not hidden, no direction marks. */
export function safeFileName(title: string, extension: string): string {
  const plain = title
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.~-]+/, '')
    .replace(/[\s.]+$/, '');
  const name = `${cutBytes(plain) || 'documento'}.${extension}`;
  try {
    return isPortableName(name) ? parseFileName(name) : `_${name}`;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return `_${name}`;
  }
}

function cutBytes(text: string): string {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > MAX_BYTES) return kept.trimEnd();
    kept += character;
  }
  return kept;
}
