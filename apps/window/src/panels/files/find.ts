import type { Hit } from '../../parts/marked-pieces.ts';

const MOST_HITS = 5_000;

/** All matches of `wanted`, ignoring case; at most 5,000. */
export function hitsOf(lines: readonly string[], wanted: string): Hit[] {
  const hits: Hit[] = [];
  const text = wanted.toLowerCase();
  if (text === '') return hits;
  for (const [line, content] of lines.entries()) {
    const haystack = content.toLowerCase();
    for (let at = haystack.indexOf(text); at >= 0; at = haystack.indexOf(text, at + text.length)) {
      hits.push({ line, from: at, to: at + text.length });
      if (hits.length === MOST_HITS) return hits;
    }
  }
  return hits;
}
