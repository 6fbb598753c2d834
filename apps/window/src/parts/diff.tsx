import { cleanText } from '@fucina/conversation/clean-text';
import { Fragment, memo, type ReactNode, useMemo, useState } from 'react';
import { useWords } from '../words/words.ts';
import { useDiffColours } from './diff-colours.ts';
import type { ColouredPiece } from './highlight.ts';
import { type DiffLine, diffTexts, type FileDiff } from './line-diff.ts';
import { markedPieces } from './marked-pieces.ts';

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
/** Lines shown at first. */
const FIRST_LINES = 400;

/** What a review adds to the lines of a diff. */
export interface LineParts {
  beside: (line: DiffLine) => ReactNode;
  under: (line: DiffLine) => ReactNode;
}

interface LineProps {
  line: DiffLine;
  pieces: readonly ColouredPiece[] | undefined;
  beside: ReactNode;
}

function Line({ line, pieces, beside }: LineProps) {
  const [from, to] = line.mark ?? [0, 0];
  const marks = to > from ? [{ line: 0, from, to }] : [];
  return (
    <div className="diff-line" data-kind={line.kind}>
      {beside}
      <span className="diff-number">{line.old}</span>
      <span className="diff-number">{line.new}</span>
      <span className="diff-sign">{SIGNS[line.kind]}</span>
      <span className="diff-text">
        {markedPieces(pieces ?? [{ text: line.text, colour: undefined }], marks).map((piece, at, all) => {
          const Tag = piece.hit ? 'mark' : 'span';
          return (
            <Tag key={at} style={piece.colour && !piece.hit ? { color: piece.colour } : undefined}>
              {cleanText(at === all.length - 1 ? piece.text.replace(/\r$/, '') : piece.text)}
            </Tag>
          );
        })}
      </span>
    </div>
  );
}

interface DiffViewProps {
  diff: FileDiff;
  label: string;
  /** File name, for highlighting. */
  language?: string;
  /** An excerpt of a file with unknown position: no line numbers. */
  isPiece?: boolean;
  parts?: LineParts | undefined;
  /** Above the hunk of that number. */
  head?: ((hunk: number) => ReactNode) | undefined;
  /** Only the first lines, wrapped. `left`: number of lines shown elsewhere. */
  preview?: { lines: number; left: number; showAll: () => void };
}

/** A unified diff with line numbers of both sides. */
export const DiffView = memo(function DiffView({
  diff,
  label,
  language = '',
  isPiece = false,
  parts,
  head,
  preview,
}: DiffViewProps) {
  const { say } = useWords();
  const colours = useDiffColours(diff.hunks, language);
  const [isWhole, setIsWhole] = useState(false);
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  let left = preview?.lines ?? (isWhole ? Number.POSITIVE_INFINITY : FIRST_LINES);
  const hidden = preview?.left ?? (isWhole ? 0 : total - FIRST_LINES);
  if (total === 0) return <p className="diff-same muted">{say('diff.same')}</p>;
  return (
    <div
      className="diff"
      // Only a whole file is a landmark: excerpts may repeat a name.
      role={isPiece || preview ? 'group' : 'region'}
      aria-label={label}
      // When wrapped, it does not scroll.
      tabIndex={preview ? undefined : 0}
      data-piece={isPiece || undefined}
      data-preview={preview !== undefined || undefined}
    >
      <div className="diff-lines">
        {diff.hunks.map((hunk, at) => {
          const lines = hunk.lines.slice(0, Math.max(0, left));
          left -= hunk.lines.length;
          const first = hunk.lines[0];
          if (lines.length === 0) return null;
          return (
            <div key={`${first?.old}-${first?.new}`} className="diff-hunk">
              {head?.(at)}
              {lines.map((line) => (
                <Fragment key={`${line.old ?? ''}:${line.new ?? ''}`}>
                  <Line line={line} pieces={colours?.get(line)} beside={parts?.beside(line)} />
                  {parts?.under(line)}
                </Fragment>
              ))}
            </div>
          );
        })}
      </div>
      {hidden > 0 && (
        <button type="button" className="diff-more" onClick={preview?.showAll ?? (() => setIsWhole(true))}>
          {say('diff.more', { count: hidden })}
        </button>
      )}
    </div>
  );
});

interface DiffProps extends Omit<DiffViewProps, 'diff'> {
  before: string | null;
  after: string | null;
}

/** The diff of two texts; null is a missing file. */
export function Diff({ before, after, ...view }: DiffProps) {
  const diff = useMemo(() => diffTexts(before, after), [before, after]);
  return <DiffView diff={diff} {...view} />;
}
