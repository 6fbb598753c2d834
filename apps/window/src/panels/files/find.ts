import type { ColouredPiece } from '../../parts/highlight.ts';

/** Where a text stands: line and columns, from 0. */
export interface Hit {
  line: number;
  from: number;
  to: number;
}

const MOST_HITS = 5_000;

/** Every place of `wanted`, case apart; at most 5,000. */
export function hitsOf(lines: readonly string[], wanted: string): Hit[] {
  const hits: Hit[] = [];
  const text = wanted.toLowerCase();
  if (text === '') return hits;
  for (const [line, content] of lines.entries()) {
    const ground = content.toLowerCase();
    for (let at = ground.indexOf(text); at >= 0; at = ground.indexOf(text, at + text.length)) {
      hits.push({ line, from: at, to: at + text.length });
      if (hits.length === MOST_HITS) return hits;
    }
  }
  return hits;
}

export interface MarkedPiece extends ColouredPiece {
  hit: Hit | undefined;
}

/** The pieces of a line cut where hits begin and end. `hits` are of this line, in order. */
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
