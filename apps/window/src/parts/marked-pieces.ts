import type { ColouredPiece } from './highlight.ts';

/** Position of a match: line and columns, from 0. */
export interface Hit {
  line: number;
  from: number;
  to: number;
}

export interface MarkedPiece extends ColouredPiece {
  hit: Hit | undefined;
}

/** Splits the pieces of a line at match boundaries. `hits` are in this line, in order. */
export function markedPieces(pieces: readonly ColouredPiece[], hits: readonly Hit[]): MarkedPiece[] {
  const marked: MarkedPiece[] = [];
  let start = 0;
  for (const { text, colour } of pieces) {
    let rest = 0;
    for (const hit of hits) {
      const [from, to] = [Math.max(hit.from - start, rest), Math.min(hit.to - start, text.length)];
      if (from >= to) continue;
      if (from > rest) marked.push({ text: text.slice(rest, from), colour, hit: undefined });
      marked.push({ text: text.slice(from, to), colour, hit });
      rest = to;
    }
    if (rest < text.length) marked.push({ text: text.slice(rest), colour, hit: undefined });
    start += text.length;
  }
  return marked;
}
