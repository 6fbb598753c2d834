import type { KeyboardEvent, PointerEvent } from 'react';
import { useWords } from '../words/words.ts';
import { COLUMNS, collapseColumn, type Side, setColumnWidth } from './layout.ts';

const STEP = 16;

/** The edge of a column: dragged, or moved with arrow keys. Enter collapses the column, a double click resets it. */
export function ColumnResizer({ side, label, width }: { side: Side; label: string; width: number }) {
  const { say } = useWords();
  const { usual, least, most } = COLUMNS[side];
  const press = (event: KeyboardEvent) => {
    const outwards = side === 'left' ? STEP : -STEP;
    const next = { ArrowRight: width + outwards, ArrowLeft: width - outwards, Home: least, End: most }[event.key];
    if (event.key === 'Enter') collapseColumn(side);
    else if (next !== undefined) setColumnWidth(side, next);
    else return;
    event.preventDefault();
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget;
    if (!edge.hasPointerCapture(event.pointerId)) return;
    const box = edge.parentElement?.getBoundingClientRect();
    if (!box) return;
    const wanted = side === 'left' ? event.clientX - box.left : box.right - event.clientX;
    // Dragged to the window's edge, it closes.
    if (wanted < least / 2) collapseColumn(side);
    else setColumnWidth(side, wanted);
  };
  return (
    <div
      className="resizer"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say('shell.resize', { name: label })}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      onKeyDown={press}
      onPointerDown={(event) => event.button === 0 && event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => setColumnWidth(side, usual)}
    />
  );
}
