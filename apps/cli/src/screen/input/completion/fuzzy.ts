/** Scores a fuzzy match: the letters in order, higher if adjacent or at word starts. Undefined: no match. */
export function scoreOf(query: string, text: string): number | undefined {
  const wanted = query.toLowerCase();
  const lower = text.toLowerCase();
  if (wanted === '') return 0;
  const at = lower.indexOf(wanted);
  if (at >= 0) return WHOLE + (at === 0 ? START : isBeginning(text, at) ? WORD : 0) - text.length / LENGTH;
  let score = 0;
  let place = -1;
  for (const letter of wanted) {
    const next = lower.indexOf(letter, place + 1);
    if (next < 0) return undefined;
    score += next === place + 1 ? TOGETHER : isBeginning(text, next) ? TOGETHER : -Math.min(next - place, GAP);
    place = next;
  }
  return score - text.length / LENGTH;
}

/** The matches, best first; stable for equal scores. */
export function ranked<Row>(query: string, rows: readonly Row[], textOf: (row: Row) => string): Row[] {
  if (query === '') return [...rows];
  return rows
    .flatMap((row) => {
      const score = scoreOf(query, textOf(row));
      return score === undefined ? [] : [{ row, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

const WHOLE = 100;
const START = 50;
const WORD = 25;
const TOGETHER = 8;
const GAP = 5;
/** Among equal matches the shorter is preferred. */
const LENGTH = 50;

function isBeginning(text: string, at: number): boolean {
  const before = text[at - 1];
  if (before === undefined || /[^\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[at] ?? '');
}
