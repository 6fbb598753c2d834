const CONTROL = /(?![\n\t])\p{Cc}/gu;
/** They make text read otherwise than it is: direction overrides, isolates, breaks, fillers and marks that nobody sees. */
const DECEPTIVE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
/** Half of a character: what a terminal makes of it is nobody's guess. */
const HALVES = /\p{Cs}/gu;
const CONTROL_PICTURES = 0x2400;

/**
 * Text of a model or a file as it may reach a terminal: control characters become visible signs, so that nothing printed
 * can move the cursor, repaint a question, or look like something else.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, (character) => pictureOf(character.charCodeAt(0)))
    .replace(DECEPTIVE, (character) => codeOf(character.codePointAt(0) ?? 0))
    .replace(HALVES, '\ufffd');
}

/** The same on one line, cut to `width` characters. */
export function cleanLine(text: string, width: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  return code === 0x7f ? '\u2421' : codeOf(code);
}

function codeOf(code: number): string {
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
