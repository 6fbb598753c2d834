export interface CutText {
  text: string;
  isCut: boolean;
}

/**
 * At most `limit` characters: two thirds from the beginning, one from the end, and a line that says how much is
 * missing.
 */
export function cutMiddle(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, isCut: false };
  const room = Math.max(0, limit - 60);
  const head = text.slice(0, headEnd(text, Math.ceil((room * 2) / 3)));
  const tail = text.slice(tailStart(text, text.length - Math.floor(room / 3)));
  const missing = text.length - head.length - tail.length;
  return { text: `${head.trimEnd()}\n[… ${missing} characters cut …]\n${tail.trimStart()}`, isCut: true };
}

/** The last line end before this position, so that short lines stay whole; never inside a character. */
function headEnd(text: string, at: number): number {
  const newline = text.lastIndexOf('\n', at);
  if (newline > at - 200 && newline > 0) return newline;
  return isLowSurrogate(text, at) ? at - 1 : at;
}

function tailStart(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  if (newline >= 0 && newline < at + 200) return newline + 1;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte');
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
