/** A complete command of normal or visual mode. */
export interface VimCommand {
  count: number | undefined;
  operator?: Operator;
  /** A motion's name, or the operator repeated for whole lines. */
  motion?: string;
  /** `iw`, `a"`. */
  object?: string;
  search?: { kind: string; character: string };
  /** Other commands, by key; `r` with its character. */
  name?: string;
  character?: string;
}

export type Operator = 'd' | 'c' | 'y';

export type Parsed = VimCommand | 'incomplete' | 'unknown';

const WHOLE = /^([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?(.*)$/su;
const MOTION = /^(?:gg|[hjklwWbBeE0^_$G{}%;,])$/;
const COMMAND = /^(?:[iaIAoOvVxXsSDCYpPuJ.~])$/;
const OBJECT = /^[ia][wWp"'`()[\]{}<>bB]$/;
const SEARCH = /^([fFtT])(.)$/su;
const REPLACE = /^r(.)$/su;
/** Prefixes of longer commands. */
const BEGINNING = /^(?:|g|[fFtT]|r)$/;

/** `isVisual`: operators need no motion, and `i` and `a` begin a text object. */
export function parseVim(typed: string, isVisual: boolean): Parsed {
  const [, first, operator, second, rest = ''] = isVisual
    ? [typed, /^[1-9]\d*/.exec(typed)?.[0], undefined, undefined, typed.replace(/^[1-9]\d*/, '')]
    : (WHOLE.exec(typed) ?? []);
  const count = first || second ? Number(first ?? 1) * Number(second ?? 1) : undefined;
  const common = { count: count && Math.min(count, MAX_COUNT), ...(operator && { operator: operator as Operator }) };
  if (BEGINNING.test(rest)) return 'incomplete';
  if (MOTION.test(rest)) return { ...common, motion: rest };
  const search = SEARCH.exec(rest);
  if (search) return { ...common, search: { kind: search[1] ?? '', character: search[2] ?? '' } };
  if (operator || isVisual) {
    if (/^[ia]$/.test(rest)) return 'incomplete';
    if (OBJECT.test(rest)) return { ...common, object: rest };
  }
  if (operator) return rest === operator ? { ...common, motion: rest } : 'unknown';
  const replace = REPLACE.exec(rest);
  if (replace) return { ...common, name: 'r', character: replace[1] ?? '' };
  if (isVisual) return /^[dxcsyvVopJ~]$/.test(rest) ? { ...common, name: rest } : 'unknown';
  return COMMAND.test(rest) ? { ...common, name: rest } : 'unknown';
}

const MAX_COUNT = 10_000;
