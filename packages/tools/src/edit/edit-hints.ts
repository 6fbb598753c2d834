import { textStart } from '@fucina/shared';

const MAX_LINES = 20_000;
const MAX_SHOWN_CHARS = 200;
const MAX_HINTS = 3;
/** Below this share of common words two lines are not considered similar. */
const LEAST_LIKENESS = 0.5;

/**
 * A hint for the model why `wanted` was not found: lines that differ only in white space, or the most similar ones.
 */
export function nearMisses(text: string, wanted: string): string {
  const lines = text.split('\n', MAX_LINES);
  const wantedLines = wanted.split('\n').map(squeezed);
  const first = wantedLines.findIndex((line) => line !== '');
  if (first < 0) return ' It is only white space.';
  const numbered = /^\s*\d+\t/.test(wanted) ? ' Leave out the line numbers that reading adds.' : '';

  const squeezedLines = lines.map(squeezed);
  const blocks = squeezedLines.flatMap((line, index) =>
    line !== '' && isBlockAt(squeezedLines, index - first, wantedLines) ? [index - first] : [],
  );
  if (blocks.length > 0) {
    const [start = 0] = blocks;
    const shown = quoted(
      lines.slice(Math.max(0, start), start + Math.min(wantedLines.length, MAX_HINTS)),
      Math.max(0, start),
    );
    return `${numbered} The same words are at line ${start + 1} with other white space or indentation; the file has:\n${shown}`;
  }
  const same = squeezedLines.indexOf(wantedLines[first] as string);
  if (same >= 0) {
    const differing = wantedLines.findIndex((line, index) => squeezedLines[same - first + index] !== line);
    const at = Math.max(0, same - first + Math.max(0, differing));
    return `${numbered} It begins like line ${same + 1}, but differs from line ${at + 1} on; the file has:\n${quoted(lines.slice(at, at + MAX_HINTS), at)}`;
  }
  const near = mostAlike(squeezedLines, wantedLines[first] as string);
  if (near.length === 0) return `${numbered} No line of the file is like it. Read the file again.`;
  return `${numbered} The nearest lines are:\n${near.map((index) => quoted([lines[index] ?? ''], index)).join('\n')}`;
}

function squeezed(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ');
}

function isBlockAt(lines: readonly string[], start: number, wanted: readonly string[]): boolean {
  return wanted.every((line, index) => {
    const isEdge = index === 0 || index === wanted.length - 1;
    return lines[start + index] === line || (isEdge && line === '');
  });
}

function mostAlike(lines: readonly string[], wanted: string): number[] {
  const words = wordsOf(wanted);
  return lines
    .map((line, index) => ({ index, score: likeness(words, line) }))
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_HINTS)
    .map(({ index }) => index);
}

/** Share of common words of two lines, from 0 to 1. */
function likeness(words: ReadonlySet<string>, line: string): number {
  if (line === '') return 0;
  const others = wordsOf(line);
  let common = 0;
  for (const word of others) if (words.has(word)) common++;
  return (2 * common) / Math.max(1, words.size + others.size);
}

function wordsOf(line: string): Set<string> {
  return new Set(
    textStart(line, 1000)
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter(Boolean),
  );
}

function quoted(lines: readonly string[], from: number): string {
  return lines
    .map(
      (line, index) =>
        `${String(from + index + 1).padStart(5)}\t${textStart(line.replace(/\r$/, ''), MAX_SHOWN_CHARS)}`,
    )
    .join('\n');
}
