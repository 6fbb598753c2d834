const CONTROL = /(?![\n\t])\p{Cc}/gu;
/**
 * Characters that make text look different from what it is: direction overrides, isolates, breaks, fillers and
 * invisible marks.
 */
const DECEPTIVE =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])(?:\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u{fff9}-\u{fffb}])/gu;
/** Lone surrogates: terminals display them in different ways. */
const HALVES = /\p{Cs}/gu;
const CONTROL_PICTURES = 0x2400;

/**
 * Makes text of a model or a file safe to show: control characters become visible symbols, so that the text cannot move
 * the cursor, imitate a question or read as another text.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, (character) => pictureOf(character.charCodeAt(0)))
    .replace(DECEPTIVE, (character) => codeOf(character.codePointAt(0) ?? 0))
    .replace(HALVES, '\ufffd');
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  return code === 0x7f ? '\u2421' : codeOf(code);
}

function codeOf(code: number): string {
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
