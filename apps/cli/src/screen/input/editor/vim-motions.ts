import type { Range } from './buffer.ts';
import { classAt, indentEnd, lineEnd, lineStart, nextPlace, previousPlace } from './text.ts';

/** The target of a motion. */
export interface Target {
  to: number;
  /** Inclusive: an operator also takes the target character. */
  isInclusive?: boolean;
  /** Linewise: an operator takes whole lines. */
  isLines?: boolean;
}

export interface MotionInput {
  text: string;
  at: number;
  /** Undefined when no count was typed. */
  count: number | undefined;
}

export type Motion = (input: MotionInput) => Target | undefined;

/** Of f, F, t and T, and the key that repeats them. */
export interface Search {
  kind: string;
  character: string;
}

type Step = (text: string, at: number) => number;

export const MOTIONS: Readonly<Record<string, Motion>> = {
  h: repeated((text, at) => Math.max(lineStart(text, at), previousPlace(text, at))),
  l: repeated((text, at) => Math.min(lineEnd(text, at), nextPlace(text, at))),
  j: ({ text, at, count = 1 }) => vertical(text, at, count),
  k: ({ text, at, count = 1 }) => vertical(text, at, -count),
  w: repeated((text, at) => wordForward(text, at, false)),
  W: repeated((text, at) => wordForward(text, at, true)),
  b: repeated((text, at) => wordBack(text, at, false)),
  B: repeated((text, at) => wordBack(text, at, true)),
  e: inclusive(repeated((text, at) => wordEnd(text, at, false))),
  E: inclusive(repeated((text, at) => wordEnd(text, at, true))),
  '0': ({ text, at }) => ({ to: lineStart(text, at) }),
  '^': ({ text, at }) => ({ to: indentEnd(text, at) }),
  _: ({ text, at }) => ({ to: indentEnd(text, at) }),
  $: ({ text, at, count = 1 }) => {
    const down = vertical(text, at, count - 1) ?? { to: at };
    return { to: lineEnd(text, down.to) };
  },
  gg: ({ text, count = 1 }) => ({ to: indentEnd(text, lineNumbered(text, count)), isLines: true }),
  G: ({ text, count }) => ({ to: indentEnd(text, lineNumbered(text, count ?? Infinity)), isLines: true }),
  '{': repeated((text, at) => Math.max(0, text.lastIndexOf('\n\n', Math.max(0, at - 2)) + 1)),
  '}': repeated((text, at) => {
    const gap = text.indexOf('\n\n', at);
    return gap < 0 ? text.length : gap + 1;
  }),
  '%': ({ text, at }) => bracket(text, at),
};

/** Undefined when the line has no such character in that direction. */
export function searchTarget({ kind, character }: Search, { text, at, count = 1 }: MotionInput): Target | undefined {
  const isForward = kind === 'f' || kind === 't';
  const isTill = kind === 't' || kind === 'T';
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  let place = at;
  for (let left = count; left > 0; left--) {
    place = isForward ? text.indexOf(character, nextPlace(text, place)) : lastBefore(text, character, place);
    if (place < start || place >= end) return undefined;
  }
  const to = !isTill ? place : isForward ? previousPlace(text, place) : nextPlace(text, place);
  return { to, isInclusive: isForward };
}

/** Text objects: `iw`, `a"`, `i(` and so on. */
export function objectRange(object: string, text: string, at: number): Range | undefined {
  const isAround = object.startsWith('a');
  const what = object[1] ?? '';
  if (what === 'w' || what === 'W') return wordRange(text, at, { isAround, isSpaced: what === 'W' });
  if (what === 'p') return paragraphRange(text, at);
  if (`"'\``.includes(what)) return quotedRange(text, at, { isAround, quote: what });
  const pair = PAIRS.find((one) => one.includes(what));
  return pair === undefined ? undefined : pairRange(text, at, { isAround, open: pair[0] ?? '', close: pair[1] ?? '' });
}

/** Both brackets, and their letter. */
const PAIRS = ['()b', '{}B', '[]', '<>'];

function lastBefore(text: string, character: string, at: number): number {
  return at === 0 ? -1 : text.lastIndexOf(character, at - 1);
}

function repeated(step: Step): Motion {
  return ({ text, at, count = 1 }) => {
    let to = at;
    for (let left = count; left > 0; left--) {
      const next = step(text, to);
      if (next === to) break;
      to = next;
    }
    return { to };
  };
}

function inclusive(motion: Motion): Motion {
  return (input) => {
    const target = motion(input);
    return target && { ...target, isInclusive: true };
  };
}

function vertical(text: string, at: number, by: number): Target | undefined {
  let start = lineStart(text, at);
  const column = countOf(text, start, at);
  for (let left = Math.abs(by); left > 0; left--) {
    if (by > 0 ? lineEnd(text, start) === text.length : start === 0) return undefined;
    start = by > 0 ? lineEnd(text, start) + 1 : lineStart(text, start - 1);
  }
  let to = start;
  const end = lineEnd(text, start);
  for (let left = column; left > 0 && to < end; left--) to = nextPlace(text, to);
  return { to, isLines: true };
}

function countOf(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at = nextPlace(text, at)) count++;
  return count;
}

function lineNumbered(text: string, number: number): number {
  let start = 0;
  for (let line = 1; line < number && lineEnd(text, start) < text.length; line++) start = lineEnd(text, start) + 1;
  return start;
}

function kindAt(text: string, at: number, isSpaced: boolean): string {
  const kind = classAt(text, at);
  return isSpaced && kind !== 'space' ? 'word' : kind;
}

function wordForward(text: string, from: number, isSpaced: boolean): number {
  let at = from;
  const kind = kindAt(text, at, isSpaced);
  while (at < text.length && kind !== 'space' && kindAt(text, at, isSpaced) === kind) at = nextPlace(text, at);
  // An empty line counts as a word.
  while (at < text.length && kindAt(text, at, isSpaced) === 'space') {
    at = nextPlace(text, at);
    if (text[at] === '\n' && text[at - 1] === '\n') break;
  }
  return at;
}

function wordBack(text: string, from: number, isSpaced: boolean): number {
  let at = from;
  const before = (): string => kindAt(text, previousPlace(text, at), isSpaced);
  while (at > 0 && before() === 'space') at = previousPlace(text, at);
  const kind = at > 0 ? before() : 'space';
  while (at > 0 && before() === kind) at = previousPlace(text, at);
  return at;
}

function wordEnd(text: string, from: number, isSpaced: boolean): number {
  let at = nextPlace(text, from);
  while (at < text.length && kindAt(text, at, isSpaced) === 'space') at = nextPlace(text, at);
  if (at >= text.length) return Math.max(from, previousPlace(text, text.length));
  const kind = kindAt(text, at, isSpaced);
  for (let next = nextPlace(text, at); next < text.length && kindAt(text, next, isSpaced) === kind; ) {
    at = next;
    next = nextPlace(text, at);
  }
  return at;
}

function bracket(text: string, from: number): Target | undefined {
  let at = from;
  const end = lineEnd(text, from);
  while (at < end && !'()[]{}'.includes(text[at] ?? '')) at++;
  const own = text[at] ?? '';
  const pair = PAIRS.find((one) => at < end && one.slice(0, 2).includes(own));
  if (!pair) return undefined;
  const isOpen = own === pair[0];
  const to = matching(text, at, { own, other: (isOpen ? pair[1] : pair[0]) ?? '', by: isOpen ? 1 : -1 });
  return to === undefined ? undefined : { to, isInclusive: true };
}

/** The matching bracket, with nesting. */
function matching(text: string, from: number, { own, other, by }: { own: string; other: string; by: 1 | -1 }) {
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length; at += by) {
    if (text[at] === own) depth++;
    else if (text[at] === other && --depth === 0) return at;
  }
  return undefined;
}

function wordRange(text: string, at: number, { isAround, isSpaced }: { isAround: boolean; isSpaced: boolean }): Range {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  const run = (from: number): Range => {
    const kind = kindAt(text, from, isSpaced);
    let [a, b] = [from, from];
    while (a > start && kindAt(text, previousPlace(text, a), isSpaced) === kind) a = previousPlace(text, a);
    while (b < end && kindAt(text, b, isSpaced) === kind) b = nextPlace(text, b);
    return { from: a, to: b };
  };
  const word = run(at);
  if (!isAround || word.to === word.from) return word;
  if (word.to < end && (classAt(text, word.to) === 'space' || classAt(text, at) === 'space'))
    return { from: word.from, to: run(word.to).to };
  const gap = word.from > start ? run(previousPlace(text, word.from)) : word;
  return classAt(text, gap.from) === 'space' ? { from: gap.from, to: word.to } : word;
}

function paragraphRange(text: string, at: number): Range {
  const before = text.lastIndexOf('\n\n', at);
  const after = text.indexOf('\n\n', at);
  return { from: before < 0 ? 0 : before + 2, to: after < 0 ? text.length : after };
}

function quotedRange(
  text: string,
  at: number,
  { isAround, quote }: { isAround: boolean; quote: string },
): Range | undefined {
  const start = lineStart(text, at);
  const line = text.slice(start, lineEnd(text, at));
  const quotes = [...line.matchAll(new RegExp(quote, 'g'))].map(({ index }) => start + index);
  for (let pair = 0; pair + 1 < quotes.length; pair += 2) {
    const [open = 0, close = 0] = quotes.slice(pair, pair + 2);
    if (at <= close) return isAround ? { from: open, to: close + 1 } : { from: open + 1, to: close };
  }
  return undefined;
}

function pairRange(
  text: string,
  at: number,
  { isAround, open, close }: { isAround: boolean; open: string; close: string },
): Range | undefined {
  let depth = 0;
  for (let from = at; from >= 0; from--) {
    if (text[from] === close && from !== at) depth++;
    if (text[from] !== open || depth-- > 0) continue;
    const to = matching(text, from, { own: open, other: close, by: 1 });
    if (to === undefined) return undefined;
    return isAround ? { from, to: to + 1 } : { from: from + 1, to };
  }
  return undefined;
}
