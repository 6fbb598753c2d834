/** True for a continuation byte of a character. */
const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The nearest position at or before `at` where a UTF-8 character begins. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let position = Math.min(at, bytes.length);
  while (position > 0 && continues(bytes[position])) position -= 1;
  return position;
}

/** Number of characters (code points) in UTF-8 bytes. */
export function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!continues(byte)) count += 1;
  return count;
}

/** Whether bytes of this type are displayable text. */
export function isText(contentType: string): boolean {
  return /^(text\/|application\/(json|xml|[\w.+-]+\+(json|xml))\b)/.test(contentType);
}
