import { isUtf8 } from 'node:buffer';
import { ESCAPED_NAME, PathError } from './safe-name.ts';

/**
 * File names are bytes, but clients get text. A UTF-8 name without control characters is used as it is. In other names,
 * each byte that is not part of a UTF-8 character, or belongs to a control or line-ending character, becomes one
 * character from U+EF00 to U+EFFF: U+EF00 plus the byte. Names that already contain such characters have their bytes
 * encoded the same way, so that the mapping is one-to-one.
 */
const ESCAPE_BASE = 0xef00;
const NEEDS_ESCAPE = /[\p{Cc}\p{Zl}\p{Zp}\uef00-\uefff]/u;
const NEEDS_ESCAPE_ALL = /[\p{Cc}\p{Zl}\p{Zp}\uef00-\uefff]/gu;

/** The text of a name, or of a path, as the system returns it. */
export function nameText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return escapedText(buffer.toString('utf8'));
  let text = '';
  for (let at = 0; at < buffer.length; ) {
    const length = characterAt(buffer, at);
    text +=
      length === 0
        ? String.fromCharCode(ESCAPE_BASE + (buffer[at] as number))
        : escapedText(buffer.toString('utf8', at, at + length));
    at += length || 1;
  }
  return text;
}

/** Whether a text contains encoded bytes. */
export function isEscapedName(text: string): boolean {
  return ESCAPED_NAME.test(text);
}

/** The bytes of a text produced by `nameText`. Problem `invalid` for a text that no name has. */
export function nameBytes(text: string): Buffer {
  if (!ESCAPED_NAME.test(text)) return Buffer.from(text);
  const pieces = text.split(/([\uef00-\uefff])/).map((piece) => {
    return ESCAPED_NAME.test(piece) ? Buffer.of(piece.charCodeAt(0) - ESCAPE_BASE) : Buffer.from(piece);
  });
  const bytes = Buffer.concat(pieces);
  // Only the canonical encoding: an encoded slash, dot or NUL would be another path.
  if (bytes.includes(0) || nameText(bytes) !== text) throw new PathError('invalid', text);
  return bytes;
}

/** A path for the functions of the file system. Windows names are text. */
export function systemPath(path: string): string | Buffer {
  return process.platform !== 'win32' && ESCAPED_NAME.test(path) ? nameBytes(path) : path;
}

function escapedText(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  return text.replaceAll(NEEDS_ESCAPE_ALL, (character) =>
    [...Buffer.from(character)].map((byte) => String.fromCharCode(ESCAPE_BASE + byte)).join(''),
  );
}

/** The length of the UTF-8 character at a position; 0 if none starts there. */
function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
