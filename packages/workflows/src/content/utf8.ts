/** True in the middle of a character: a byte that continues one. */
const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The nearest position at or before `at` where a character of UTF-8 begins. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let position = Math.min(at, bytes.length);
  while (position > 0 && continues(bytes[position])) position -= 1;
  return position;
}

/** How many characters (code points) UTF-8 bytes hold. */
export function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!continues(byte)) count += 1;
  return count;
}

/** Whether bytes of this type are text that can be shown. */
export function isText(contentType: string): boolean {
  return /^(text\/|application\/(json|xml|[\w.+-]+\+(json|xml))\b)/.test(contentType);
}
