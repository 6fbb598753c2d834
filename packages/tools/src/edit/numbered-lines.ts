import { textStart } from '@fucina/shared';

const MAX_LINE_CHARS = 300;

export function lineNumberAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Lines as `leggi` shows them; the last is that of the end of the text at most. */
export function numberedLines(text: string, { from, to }: { from: number; to: number }): string {
  const lines: string[] = [];
  let start = 0;
  for (let number = 1; number <= to && (start < text.length || number === 1); number++) {
    const at = text.indexOf('\n', start);
    const end = at < 0 ? text.length : at;
    if (number >= from) lines.push(numberedLine(text.slice(start, end), number));
    start = end + 1;
  }
  return lines.join('\n');
}

function numberedLine(line: string, number: number): string {
  const plain = line.replace(/\r$/, '');
  const shown = plain.length > MAX_LINE_CHARS ? `${textStart(plain, MAX_LINE_CHARS)} […]` : plain;
  return `${String(number).padStart(5)}\t${visible(shown)}`;
}

/** Control characters as `\x1b`, so that a file cannot affect the terminal that shows it. */
export function visible(text: string): string {
  return text.replaceAll(/(?!\t)\p{Cc}/gu, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
