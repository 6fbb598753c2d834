import type { Tokens } from 'marked';
import type { Line } from '../../line.ts';
import { lineWidth } from '../width.ts';
import { padLine, wrapLine } from '../wrap.ts';
import { inlineLines } from './inline.ts';

type Align = 'center' | 'left' | 'right' | null;

const NARROWEST_COLUMN = 8;

/** A bordered table as wide as its content or the screen; if that is unreadable, cells below each other. */
export function tableLines({ header, rows, align }: Tokens.Table, width: number): Line[] {
  const heads = header.map(({ tokens }) => inlineLines(tokens, { isBold: true }).flat());
  const body = rows.map((row) => row.map(({ tokens }) => inlineLines(tokens).flat()));
  const natural = heads.map((head, column) =>
    Math.max(1, lineWidth(head), ...body.map((row) => lineWidth(row[column] ?? []))),
  );
  const columns = shrunk(natural, width - 3 * heads.length - 1);
  return columns ? boxed([heads, ...body], columns, align) : stacked(heads, body, width);
}

/** Shrinks the widest columns first; undefined when the columns do not fit. */
function shrunk(natural: readonly number[], room: number): number[] | undefined {
  const least = natural.map((columns) => Math.min(columns, NARROWEST_COLUMN));
  if (sum(least) > room) return undefined;
  let limit = Math.max(...natural);
  const under = (most: number): number[] => natural.map((columns) => Math.min(columns, most));
  while (sum(under(limit)) > room) limit -= 1;
  return under(limit);
}

function boxed(rows: readonly (readonly Line[])[], columns: readonly number[], align: readonly Align[]): Line[] {
  const rule = (left: string, middle: string, right: string): Line => [
    { text: left + columns.map((width) => '─'.repeat(width + 2)).join(middle) + right, token: 'line' },
  ];
  const [head = [], ...body] = rows.map((row) => rowLines(row, columns, align));
  return [rule('┌', '┬', '┐'), ...head, rule('├', '┼', '┤'), ...body.flat(), rule('└', '┴', '┘')];
}

function rowLines(row: readonly Line[], columns: readonly number[], align: readonly Align[]): Line[] {
  const cells = columns.map((width, column) => wrapLine(row[column] ?? [], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  const bar: Line = [{ text: '│', token: 'line' }];
  return Array.from({ length: height }, (_item, index) => [
    ...cells.flatMap((lines, column) => [
      ...bar,
      { text: ' ' },
      ...aligned(lines[index] ?? [], columns[column] ?? 0, align[column] ?? null),
      { text: ' ' },
    ]),
    ...bar,
  ]);
}

function aligned(line: Line, width: number, align: Align): Line {
  const free = width - lineWidth(line);
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  return padLine(before > 0 ? [{ text: ' '.repeat(before) }, ...line] : line, width);
}

function stacked(heads: readonly Line[], body: readonly (readonly Line[])[], width: number): Line[] {
  return body.flatMap((row, index) => [
    ...(index > 0
      ? [[{ text: '─'.repeat(Math.max(1, Math.min(width, NARROWEST_COLUMN))), token: 'line' } as const]]
      : []),
    ...heads.flatMap((head, column) => {
      const name: Line = head.length ? [...head, { text: ': ', token: 'muted' }] : [];
      return wrapLine([...name, ...(row[column] ?? [])], width, { rest: [{ text: '  ' }] });
    }),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
