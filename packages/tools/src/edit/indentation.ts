import { plainCharacters } from './line-form.ts';

export const indentOf = (line: string): string => /^[^\S\r\n]*/.exec(line)?.[0] ?? '';

const TAB_WIDTH = 4;
const widthOf = (indent: string): number =>
  [...plainCharacters(indent)].reduce((width, one) => width + (one === '\t' ? TAB_WIDTH : 1), 0);

/** Lines of the old text beside those of the file. */
export type LinePair = readonly [old: string, there: string];

/**
 * Gives lines of the new text the indentation of the file. Undefined when one indentation of the old text stands for
 * several of the file: then which one is meant would be a guess.
 */
export function reindenter(
  pairs: readonly LinePair[],
  { fresh, text }: { fresh: readonly string[]; text: string },
): ((line: string) => string) | undefined {
  const known = knownIndents(pairs, fresh[0]);
  if (!known) return undefined;
  const ownStep = widthOf(stepIn([...pairs.map(([old]) => old), ...fresh]) ?? ' '.repeat(TAB_WIDTH));
  const step = stepIn(text.split('\n', MAX_LOOKED_AT)) ?? DEFAULT_STEP;
  const bases = [...known.keys()].sort((a, b) => widthOf(a) - widthOf(b));
  return (line) => {
    if (line.trim() === '') return '';
    const indent = indentOf(line);
    const body = line.slice(indent.length);
    const same = known.get(indent);
    if (same !== undefined) return same + body;
    const base = bases.filter((one) => widthOf(one) <= widthOf(indent)).at(-1) ?? bases[0] ?? '';
    const more = widthOf(indent) - widthOf(base);
    const steps = Math.floor(Math.abs(more) / ownStep);
    const there = known.get(base) ?? '';
    if (more < 0) return there.slice(0, Math.max(0, there.length - steps * step.length)) + body;
    return there + step.repeat(steps) + ' '.repeat(more % ownStep) + body;
  };
}

/** The first line may have lost its indentation alone, where a text was cut out of the middle of it. */
function knownIndents(pairs: readonly LinePair[], freshFirst: string | undefined): Map<string, string> | undefined {
  const known = new Map<string, string>();
  for (const [index, [old, there]] of [...pairs.entries()].reverse()) {
    if (old.trim() === '') continue;
    const before = known.get(indentOf(old));
    if (before === undefined) known.set(indentOf(old), indentOf(there));
    else if (before !== indentOf(there) && !(index === 0 && old === freshFirst)) return undefined;
  }
  return known;
}

const MAX_LOOKED_AT = 2_000;
const DEFAULT_STEP = '  ';

/** What one more level of indentation is in most places. */
function stepIn(lines: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let before = '';
  for (const line of lines) {
    if (line.trim() === '') continue;
    const indent = indentOf(line);
    const more = indent.startsWith(before) ? indent.slice(before.length) : '';
    if (/^(?:\t| {2,8})$/.test(more)) counts.set(more, (counts.get(more) ?? 0) + 1);
    before = indent;
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0];
}
