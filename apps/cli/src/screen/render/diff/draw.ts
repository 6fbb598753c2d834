import { cleanText } from '../../../clean-text.ts';
import type { Say } from '../../../words/index.ts';
import type { Line, Span } from '../../line.ts';
import { expandTabs, lineWidth } from '../width.ts';
import { cutLine, textSpan, wrapLine } from '../wrap.ts';
import type { Difference, DiffRow } from './compare.ts';

export interface DiffStyle {
  width: number;
  say: Say;
  /** Maximum rows, after which the rest is only counted; default: all. */
  most?: number;
  /** False for an excerpt with an unknown position. */
  isNumbered?: boolean;
}

/** Longer lines are not readable code. */
const LONGEST_LINE = 2_000;
const NARROWEST_NUMBERED = 30;

/** Sign, number and text of every row, wrapped. */
export function differenceLines({ rows }: Difference, look: DiffStyle): Line[] {
  const { width, say, most = Number.POSITIVE_INFINITY, isNumbered = true } = look;
  const digits = isNumbered && width >= NARROWEST_NUMBERED ? String(highest(rows)).length : 0;
  const lines = rows.slice(0, most).flatMap((row) => rowLines(row, digits, look));
  const left = rows.length - most;
  return left > 0
    ? [...lines, cutLine([textSpan(say('look.more-lines', { count: left }), { token: 'muted' })], width)]
    : lines;
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const TOKENS = { same: 'muted', added: 'success', removed: 'danger' } as const;

function rowLines(row: DiffRow, digits: number, { width, say }: DiffStyle): Line[] {
  if (row.kind === 'gap') {
    const sign = digits ? `${' '.repeat(digits)} ⋯ ` : '⋯ ';
    const words = say(row.count === 1 ? 'look.same-line' : 'look.same-lines', { count: row.count });
    return [cutLine([{ text: `${sign}${words}`, token: 'muted' }], width)];
  }
  const token = TOKENS[row.kind];
  const gutter: Line = [
    ...(digits ? [{ text: `${String(row.number).padStart(digits)} `, token: 'muted' as const }] : []),
    { text: `${SIGNS[row.kind]} `, token },
  ];
  const rest: Line = [{ text: ' '.repeat(lineWidth(gutter)) }];
  return wrapLine(rowText(row), width, { first: gutter, rest, isExact: true });
}

function rowText(row: Exclude<DiffRow, { kind: 'gap' }>): Line {
  if (row.kind === 'same') return tabless([{ text: shown(row.text), token: 'muted' }]);
  const token = TOKENS[row.kind];
  let left = LONGEST_LINE;
  const spans = row.pieces.map(({ text, isChanged }): Span => {
    const piece = shown(text.slice(0, left));
    left = Math.max(0, left - text.length);
    return isChanged ? { text: piece, token, isBold: true, background: 'raised' } : { text: piece, token };
  });
  return tabless(spans.filter(({ text }) => text !== ''));
}

function shown(text: string): string {
  const clean = cleanText(text.slice(0, LONGEST_LINE));
  return text.length > LONGEST_LINE ? `${clean}…` : clean;
}

/** Expands tabs by their column, also across style changes. */
function tabless(line: Line): Line {
  if (!line.some(({ text }) => text.includes('\t'))) return line;
  let before = '';
  return line.map((span) => {
    const start = expandTabs(before).length;
    before += span.text;
    return { ...span, text: expandTabs(before).slice(start) };
  });
}

function highest(rows: readonly DiffRow[]): number {
  return rows.reduce((most, row) => (row.kind === 'gap' ? most : Math.max(most, row.number)), 1);
}
