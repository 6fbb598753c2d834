import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { ColouredPiece } from '../../../parts/highlight.ts';
import { type Hit, type MarkedPiece, markedPieces } from '../../../parts/marked-pieces.ts';
import { useWords } from '../../../words/words.ts';

interface LinesProps {
  label: string;
  lines: readonly string[];
  coloured: readonly ColouredPiece[][];
  /** Number of the first line; without it lines have no number. */
  firstNumber?: number;
  /** The line to scroll to, from 0. */
  target: number | undefined;
  hits: readonly Hit[];
  hit: Hit | undefined;
  press: (event: KeyboardEvent) => void;
  chooseLine?: (line: number) => void;
  /** Shown above and below the text. */
  before?: ReactNode;
  after?: ReactNode;
}

const LINE_PX = 20;
/** Long lines are truncated, because browsers draw them slowly. */
const LONGEST_LINE = 4_000;

function byLine(hits: readonly Hit[]): ReadonlyMap<number, Hit[]> {
  const lines = new Map<number, Hit[]>();
  for (const one of hits) {
    const line = lines.get(one.line);
    if (line) line.push(one);
    else lines.set(one.line, [one]);
  }
  return lines;
}

/** Lines of a text; only visible ones are drawn. */
export function TextLines(props: LinesProps) {
  const { lines, coloured, hits, hit, target } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  useEffect(() => {
    if (target !== undefined) virtual.scrollToIndex(target, { align: 'center' });
  }, [virtual, target]);
  // Depends on the position, not on the version of the file: a growing file does not scroll back.
  const hitPlace = hit && `${hit.line} ${hit.from}`;
  useEffect(() => {
    if (hitPlace !== undefined) virtual.scrollToIndex(Number.parseInt(hitPlace, 10), { align: 'center' });
  }, [virtual, hitPlace]);
  const found = useMemo(() => byLine(hits), [hits]);
  const shown = virtual.getVirtualItems();
  return (
    <div
      ref={scroll}
      className="text-scroll"
      role="group"
      aria-label={props.label}
      tabIndex={0}
      onKeyDown={props.press}
    >
      {props.before}
      <div className="text-whole" style={{ height: virtual.getTotalSize() }}>
        <div className="text-shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
          {shown.map(({ index }) => (
            <Line
              key={index}
              pieces={coloured[index] ?? [{ text: lines[index] ?? '', colour: undefined }]}
              hits={found.get(index) ?? NO_HITS}
              hit={hit}
              number={props.firstNumber === undefined ? undefined : props.firstNumber + index}
              isTarget={index === target}
              choose={props.chooseLine}
            />
          ))}
        </div>
      </div>
      {props.after}
    </div>
  );
}

const NO_HITS: readonly Hit[] = [];

interface LineProps {
  pieces: readonly ColouredPiece[];
  hits: readonly Hit[];
  hit: Hit | undefined;
  number: number | undefined;
  isTarget: boolean;
  choose: ((line: number) => void) | undefined;
}

function Line({ pieces, hits, hit, number, isTarget, choose }: LineProps) {
  const { say, number: counted } = useWords();
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  const marked = markedPieces(length > LONGEST_LINE ? cut(pieces) : pieces, hits);
  return (
    <div className="text-line" data-target={isTarget || undefined}>
      {number !== undefined && (
        <span className="text-number" aria-hidden onClick={() => choose?.(number)}>
          {number}
        </span>
      )}
      <code>
        {marked.map((piece, at) => (
          <Piece key={at} piece={piece} isCurrent={piece.hit !== undefined && piece.hit === hit} />
        ))}
        {length > LONGEST_LINE && (
          <span className="text-cut">{say('files.lineCut', { count: counted(length - LONGEST_LINE) })}</span>
        )}
      </code>
    </div>
  );
}

function Piece({ piece, isCurrent }: { piece: MarkedPiece; isCurrent: boolean }) {
  if (piece.hit) return <mark data-current={isCurrent || undefined}>{piece.text}</mark>;
  return <span style={piece.colour ? { color: piece.colour } : undefined}>{piece.text}</span>;
}

function cut(pieces: readonly ColouredPiece[]): ColouredPiece[] {
  let left = LONGEST_LINE;
  return pieces.flatMap(({ text, colour }) => {
    const part = text.slice(0, left);
    left -= part.length;
    return part === '' ? [] : [{ text: part, colour }];
  });
}
