import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import type { LineParts } from '../../parts/diff.tsx';
import { type DiffColours, useDiffColours } from '../../parts/diff-colours.ts';
import type { DiffLine } from '../../parts/line-diff.ts';
import { markedPieces } from '../../parts/marked-pieces.ts';
import { type Patch, pairsOf, type SideBySideRow } from '../../parts/patch.ts';

export type PatchLayout = 'unified' | 'split';

interface PatchViewProps {
  patch: Patch;
  label: string;
  language: string;
  layout: PatchLayout;
  /** The actions for the hunk of that number. */
  actions?: ((hunk: number) => ReactNode) | undefined;
  parts?: LineParts | undefined;
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;

function Side({
  line,
  number,
  colours,
  beside,
}: {
  line: DiffLine | undefined;
  number?: number | undefined;
  colours: DiffColours | undefined;
  beside?: ReactNode;
}) {
  if (!line) return <span className="patch-side" data-kind="none" />;
  const [from, to] = line.mark ?? [0, 0];
  const pieces = colours?.get(line) ?? [{ text: line.text, colour: undefined }];
  return (
    <span className="patch-side" data-kind={line.kind}>
      {beside}
      {number !== undefined && <span className="diff-number">{number}</span>}
      <span className="diff-sign">{SIGNS[line.kind]}</span>
      <code className="patch-text">
        {markedPieces(pieces, to > from ? [{ line: 0, from, to }] : []).map((piece, at) => {
          const Tag = piece.hit ? 'mark' : 'span';
          return (
            <Tag key={at} style={piece.colour && !piece.hit ? { color: piece.colour } : undefined}>
              {piece.text}
            </Tag>
          );
        })}
      </code>
    </span>
  );
}

type Row = { hunk: number; place: string } | { line: DiffLine } | SideBySideRow;

function rowsOf({ hunks }: Patch, layout: PatchLayout): Row[] {
  return hunks.flatMap(({ lines, place }, hunk): Row[] => [
    { hunk, place },
    ...(layout === 'split' ? pairsOf(lines) : lines.map((line) => ({ line }))),
  ]);
}

/** A patch with line numbers of both sides; of a long one only the visible part is drawn. */
export function PatchView({ patch, label, language, layout, actions, parts }: PatchViewProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(patch, layout), [patch, layout]);
  const colours = useDiffColours(patch.hunks, language);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 20,
    overscan: 30,
  });
  const shown = virtual.getVirtualItems();
  return (
    <div ref={scroll} className="patch" data-layout={layout} role="region" aria-label={label} tabIndex={0}>
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        <div className="patch-shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
          {shown.map(({ index }) => (
            <div key={index} data-index={index} ref={virtual.measureElement}>
              <PatchRow row={rows[index] as Row} colours={colours} actions={actions} parts={parts} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

interface PatchRowProps extends Pick<PatchViewProps, 'actions' | 'parts'> {
  row: Row;
  colours: DiffColours | undefined;
}

function PatchRow({ row, colours, actions, parts }: PatchRowProps) {
  if ('hunk' in row) {
    return (
      <div className="patch-hunk">
        <span className="patch-place">{row.place}</span>
        {actions?.(row.hunk)}
      </div>
    );
  }
  if ('line' in row) {
    return (
      <>
        <div className="patch-row" data-kind={row.line.kind}>
          {parts?.beside(row.line)}
          <span className="diff-number">{row.line.old}</span>
          <span className="diff-number">{row.line.new}</span>
          <Side line={row.line} colours={colours} />
        </div>
        {parts?.under(row.line)}
      </>
    );
  }
  const { left, right } = row;
  const isRemoved = left?.kind === 'removed';
  return (
    <>
      <div className="patch-row">
        <Side line={left} number={left?.old} colours={colours} beside={isRemoved && parts?.beside(left)} />
        <Side line={right} number={right?.new} colours={colours} beside={right && parts?.beside(right)} />
      </div>
      {isRemoved && parts?.under(left)}
      {right && parts?.under(right)}
    </>
  );
}
