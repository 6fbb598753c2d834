import type { FileChange } from '@fucina/conversation';
import type { DiffLine } from '../../parts/line-diff.ts';

/** `old` for a removed line, `new` for any other. */
type DiffSide = 'old' | 'new';

/** The line that a comment is about, as it was when the comment was written. */
export interface LineAnchor {
  path: string;
  side: DiffSide;
  line: number;
  quote: string;
}

export interface ReviewComment extends LineAnchor {
  id: string;
  /** The view whose diff it was written in. */
  view: 'changes' | 'branch' | 'git';
  /** Empty until it is added. */
  text: string;
  /** What is being written; absent while the editor is closed. */
  draft?: string | undefined;
}

/** Where a comment stands now. */
export interface Placed extends ReviewComment {
  isOutdated: boolean;
}

export interface NumberedLine {
  number: number;
  text: string;
}

export function anchorOf(path: string, line: DiffLine): LineAnchor {
  const side = line.kind === 'removed' ? 'old' : 'new';
  return { path, side, line: (side === 'old' ? line.old : line.new) ?? 0, quote: line.text };
}

/** The lines of one side of a diff. */
export const sideLines = (lines: readonly DiffLine[], side: DiffSide): NumberedLine[] =>
  lines.flatMap(({ text, old, new: fresh }) => {
    const number = side === 'old' ? old : fresh;
    return number === undefined ? [] : [{ number, text }];
  });

export const textLines = (text: string | null): NumberedLine[] =>
  text === null ? [] : text.split('\n').map((line, at) => ({ number: at + 1, text: line.replace(/\r$/, '') }));

/** The number of the commented line: its own while the text there is the same, else that of the only line with this text. */
export function locate({ line, quote }: LineAnchor, lines: readonly NumberedLine[]): number | undefined {
  const quoted = quote.replace(/\r$/, '');
  const same = lines.filter(({ text }) => text === quoted);
  if (same.some(({ number }) => number === line)) return line;
  return same.length === 1 ? same[0]?.number : undefined;
}

const placedAt = <Comment extends ReviewComment>(comment: Comment, number: number | undefined): Comment & Placed => ({
  ...comment,
  line: number ?? comment.line,
  isOutdated: number === undefined,
});

/**
 * Looks for the line in the session's changes: among the present lines of the file, or among the lines as they were before
 * any of the changes. A comment of another view keeps its place on a file that the session did not change, and on a line
 * that was removed since the branch point.
 */
export function placeInChanges(comment: ReviewComment, changes: readonly FileChange[]): Placed {
  const own = changes.filter(({ path }) => path === comment.path);
  const isUnknown = own.length === 0 ? comment.view !== 'changes' : own.some(({ isTooLarge }) => isTooLarge);
  if (isUnknown || (comment.view === 'branch' && comment.side === 'old')) return placedAt(comment, comment.line);
  if (comment.side === 'new') return placedAt(comment, locate(comment, textLines(own.at(-1)?.after ?? null)));
  const found = own.map(({ before }) => locate(comment, textLines(before)));
  return placedAt(
    comment,
    found.find((number) => number === comment.line) ?? found.find((number) => number !== undefined),
  );
}

export const lineKey = ({ side, line }: Pick<LineAnchor, 'side' | 'line'>): string => `${side}:${line}`;
