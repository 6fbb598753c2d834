import type { ToolSpec } from '@fucina/shared';

const MAX_MATCHES = 5;
/** Stop words: common in requests and descriptions. */
const EMPTY_WORDS = new Set(
  'a an and all by do for from in into it my of on or that the this to tool tools use with'.split(' '),
);

/** The tools whose name or description matches, best first; always includes tools named in full. */
export function bestMatches(
  query: string,
  specs: readonly ToolSpec[],
  groupWords: (name: string) => string,
): readonly ToolSpec[] {
  const asked = new Set(query.toLowerCase().split(/[^\p{L}\p{N}_-]+/u));
  const named = specs.filter(({ name }) => asked.has(name.toLowerCase()));
  if (named.length) return named;
  const words = wordsOf(query).filter((word) => !EMPTY_WORDS.has(word));
  const scored = specs
    .map((spec) => ({ spec, score: scoreOf(words, spec, groupWords(spec.name)) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const enough = (scored[0]?.score ?? 0) / 2;
  return scored
    .filter(({ score }) => score >= enough)
    .slice(0, MAX_MATCHES)
    .map(({ spec }) => spec);
}

const IN_NAME = 6;
const IN_GROUP = 3;
const IN_DESCRIPTION = 1;

function scoreOf(words: readonly string[], { name, description }: ToolSpec, group: string): number {
  const places: [string[], number][] = [
    [wordsOf(name), IN_NAME],
    [wordsOf(group), IN_GROUP],
    [wordsOf(description), IN_DESCRIPTION],
  ];
  return words.reduce((score, word) => {
    const weights = places.map(([texts, weight]) => (texts.some((text) => isSameWord(text, word)) ? weight : 0));
    return score + Math.max(...weights);
  }, 0);
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

const STEM_LENGTH = 4;

/** Also matches other forms: note and notes, schedule and scheduled. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= STEM_LENGTH && long.startsWith(short) && long.length - short.length <= 3;
}
