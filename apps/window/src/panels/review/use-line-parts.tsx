import { type KeyboardEvent, useMemo } from 'react';
import type { LineParts } from '../../parts/diff.tsx';
import type { DiffLine, Hunk } from '../../parts/line-diff.ts';
import { useWords } from '../../words/words.ts';
import { focusEditor, LineComments } from './line-comments.tsx';
import { anchorOf, lineKey, locate, type NumberedLine, type Placed, type ReviewComment } from './review-comment.ts';
import { startComment, useReview } from './review-store.ts';
import { usePlaceInChanges } from './use-place.ts';

export interface ReviewedFile {
  sessionId: string;
  view: ReviewComment['view'];
  path: string;
  hunks: readonly Hunk[];
  /** All lines of a side, among which a comment looks for its own. */
  lines: (side: ReviewComment['side']) => readonly NumberedLine[];
}

interface FileComments {
  byLine: ReadonlyMap<string, Placed[]>;
  /** On lines that this diff does not show. */
  loose: readonly Placed[];
}

const NONE: FileComments = { byLine: new Map(), loose: [] };

interface Given {
  comments: readonly ReviewComment[];
  /** In the changes of the whole session: a comment may be outdated although this diff still has its line. */
  place: (comment: ReviewComment) => Placed;
}

function commentsOf(file: ReviewedFile, { comments, place }: Given): FileComments {
  const own = comments.filter(({ path }) => path === file.path);
  if (own.length === 0) return NONE;
  const shown = new Set(file.hunks.flatMap(({ lines }) => lines.map((line) => lineKey(anchorOf(file.path, line)))));
  const byLine = new Map<string, Placed[]>();
  const loose: Placed[] = [];
  for (const comment of own) {
    const line = locate(comment, file.lines(comment.side));
    const key = lineKey({ side: comment.side, line: line ?? 0 });
    if (line === undefined || !shown.has(key)) loose.push(place(comment));
    else byLine.set(key, [...(byLine.get(key) ?? []), { ...place(comment), line }]);
  }
  return { byLine, loose };
}

function AddButton({ file, line, isFirst }: { file: ReviewedFile; line: DiffLine; isFirst: boolean }) {
  const { say } = useWords();
  const anchor = anchorOf(file.path, line);
  const name = say(`review.on.${anchor.side}`, { line: anchor.line });
  return (
    <button
      type="button"
      className="line-add"
      // One stop of the Tab key for each file: arrows go from line to line.
      tabIndex={isFirst ? 0 : -1}
      aria-label={name}
      aria-keyshortcuts="c"
      title={`${name} (C)`}
      onClick={() => focusEditor(startComment(file.sessionId, file.view, anchor))}
    />
  );
}

const isChanged = ({ kind }: DiffLine): boolean => kind !== 'same';

/** The comment controls for the lines of a file's diff, and the comments without a line in it. `file` must be stable. */
export function useLineParts(file: ReviewedFile): { parts: LineParts; loose: readonly Placed[] } {
  const { comments } = useReview(file.sessionId);
  const place = usePlaceInChanges();
  const { byLine, loose } = useMemo(() => commentsOf(file, { comments, place }), [file, comments, place]);
  const parts = useMemo((): LineParts => {
    const first = file.hunks[0]?.lines.find(isChanged);
    return {
      beside: (line) => <AddButton file={file} line={line} isFirst={line === first} />,
      under: (line) => {
        const own = byLine.get(lineKey(anchorOf(file.path, line)));
        return own && <LineComments sessionId={file.sessionId} comments={own} />;
      },
    };
  }, [file, byLine]);
  return { parts, loose };
}

/** Arrows go from line to line, `c` comments on the one that has the focus. */
export function walkLines(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || !target.classList.contains('line-add')) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const lines = [...(target.closest('.diff, .patch')?.querySelectorAll<HTMLElement>('.line-add') ?? [])];
  const at = lines.indexOf(target);
  if (key.toLowerCase() === 'c') target.click();
  else {
    const next = { ArrowDown: lines[at + 1], ArrowUp: lines[at - 1], Home: lines[0], End: lines.at(-1) }[key];
    if (!next) return;
    next.focus();
  }
  event.preventDefault();
}
