import { diffLines, type LineRun } from '@fucina/conversation/line-diff';
import { diffWordsWithSpace } from 'diff';

/** One row of a diff, with its original text. */
export type DiffRow =
  | { kind: 'same'; number: number; text: string }
  | { kind: 'added' | 'removed'; number: number; pieces: readonly LinePiece[] }
  /** Number of unchanged lines. */
  | { kind: 'gap'; count: number };

/** A part of a line, and whether it changed. */
export interface LinePiece {
  text: string;
  isChanged: boolean;
}

export interface Difference {
  rows: readonly DiffRow[];
  added: number;
  removed: number;
}

const CONTEXT = 3;

/**
 * A line diff with three lines of context around every change. An empty text has no lines, and equal texts have no
 * rows.
 */
export function compareTexts(before: string, after: string, context: number = CONTEXT): Difference {
  const [old, next] = linesOfBoth(before, after);
  const runs = diffLines(old, next);
  const count = (kind: LineRun['kind']): number =>
    runs.reduce((total, run) => total + (run.kind === kind ? run.lines.length : 0), 0);
  const [added, removed] = [count('added'), count('removed')];
  return { rows: added + removed === 0 ? [] : withoutFarLines(rowsOf(runs), context), added, removed };
}

function rowsOf(runs: readonly LineRun[]): DiffRow[] {
  let [oldNumber, newNumber] = [1, 1];
  return runs.flatMap(({ kind, lines }, index): DiffRow[] => {
    const facing = facingLines(runs, index);
    return lines.map((text, at): DiffRow => {
      if (kind === 'same') {
        oldNumber += 1;
        return { kind, number: newNumber++, text };
      }
      const number = kind === 'added' ? newNumber++ : oldNumber++;
      return { kind, number, pieces: piecesOf(text, facing[at], kind) };
    });
  });
}

/** The lines paired with a run of changed lines. */
function facingLines(runs: readonly LineRun[], index: number): readonly string[] {
  const run = runs[index];
  const other = run?.kind === 'added' ? runs[index - 1] : run?.kind === 'removed' ? runs[index + 1] : undefined;
  return other && other.kind !== 'same' && other.kind !== run?.kind ? other.lines : [];
}

const LONGEST_COMPARED = 400;
/** Lines with less in common than this count as different lines. */
const SHARED = 0.35;

function piecesOf(text: string, facing: string | undefined, kind: 'added' | 'removed'): readonly LinePiece[] {
  const whole = [{ text, isChanged: false }];
  if (facing === undefined || Math.max(text.length, facing.length) > LONGEST_COMPARED) return whole;
  const [before, after] = kind === 'removed' ? [text, facing] : [facing, text];
  const pieces = diffWordsWithSpace(before, after)
    .filter(({ added, removed }) => (kind === 'removed' ? !added : !removed))
    .map(({ added, removed, value }) => ({ text: value, isChanged: added || removed }));
  const shared = pieces.reduce((sum, piece) => sum + (piece.isChanged ? 0 : piece.text.trim().length), 0);
  return shared >= SHARED * text.trim().length ? pieces : whole;
}

function withoutFarLines(rows: readonly DiffRow[], context: number): DiffRow[] {
  const isNear = new Uint8Array(rows.length);
  for (const [index, { kind }] of rows.entries()) {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - context), index + context + 1);
  }
  const near: DiffRow[] = [];
  for (const [index, row] of rows.entries()) {
    const last = near.at(-1);
    if (isNear[index]) near.push(row);
    else if (last?.kind === 'gap') near[near.length - 1] = { kind: 'gap', count: last.count + 1 };
    else near.push({ kind: 'gap', count: 1 });
  }
  return near;
}

/** Line ends that both texts share are ignored. */
function linesOfBoth(before: string, after: string): [string[], string[]] {
  const isSameEnd = before === '' || after === '' || before.endsWith('\n') === after.endsWith('\n');
  const isSameBreak = before === '' || after === '' || before.includes('\r\n') === after.includes('\r\n');
  const linesOf = (text: string): string[] => {
    if (text === '') return [];
    const plain = isSameBreak ? text.replaceAll('\r\n', '\n') : text;
    return (isSameEnd && plain.endsWith('\n') ? plain.slice(0, -1) : plain).split('\n');
  };
  return [linesOf(before), linesOf(after)];
}
