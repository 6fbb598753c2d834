/** Positions in a text are offsets at grapheme boundaries. */

const segmenter = new Intl.Segmenter();
/** Longer clusters consist of stacked combining marks: they are cut. */
const LONGEST = 64;

export function nextPlace(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (isSimple(text, at) && isSimple(text, at + 1)) return at + 1;
  for (const { segment } of segmenter.segment(text.slice(at, at + LONGEST))) return at + segment.length;
  return text.length;
}

export function previousPlace(text: string, at: number): number {
  if (at <= 0) return 0;
  if (isSimple(text, at - 1) && (at < 2 || isSimple(text, at - 2))) return at - 1;
  let place = Math.max(lineStart(text, at - 1), at - LONGEST);
  for (const { segment } of segmenter.segment(text.slice(place, at))) {
    if (place + segment.length >= at) break;
    place += segment.length;
  }
  return place;
}

/** The nearest position at or before an offset that may be inside a character. */
export function characterBoundaryAt(text: string, offset: number): number {
  const at = Math.max(0, Math.min(offset, text.length));
  const before = previousPlace(text, at);
  return nextPlace(text, before) > at ? before : at;
}

export function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The first character of the line that is no space. */
export function indentEnd(text: string, at: number): number {
  const start = lineStart(text, at);
  const line = text.slice(start, lineEnd(text, at));
  return start + (line.length - line.trimStart().length);
}

export type CharacterClass = 'space' | 'word' | 'mark';

export function classAt(text: string, at: number): CharacterClass {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  if (/\s/.test(character)) return 'space';
  return /[\p{L}\p{N}\p{M}_]/u.test(character) ? 'word' : 'mark';
}

/** Word moves as in line editors: over non-word characters, then over the word. */
export function wordRight(text: string, at: number): number {
  let place = at;
  while (place < text.length && classAt(text, place) !== 'word') place = nextPlace(text, place);
  while (place < text.length && classAt(text, place) === 'word') place = nextPlace(text, place);
  return place;
}

export function wordLeft(text: string, at: number): number {
  let place = at;
  const before = (): number => previousPlace(text, place);
  while (place > 0 && classAt(text, before()) !== 'word') place = before();
  while (place > 0 && classAt(text, before()) === 'word') place = before();
  return place;
}

/** The range of Ctrl+W: back to the previous space. */
export function spacedWordLeft(text: string, at: number): number {
  let place = at;
  const before = (): number => previousPlace(text, place);
  while (place > 0 && classAt(text, before()) === 'space') place = before();
  while (place > 0 && classAt(text, before()) !== 'space') place = before();
  return place;
}

function isSimple(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return Number.isNaN(code) || (code < 0x300 && code !== 0x0d && code !== 0xa9 && code !== 0xae);
}
