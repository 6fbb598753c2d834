import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import type { Line } from './catalog.ts';

const LINE_PX = 44;
const HEAD_PX = 30;
/** Rows per page key. */
const PAGE = 8;

interface ModelListProps {
  label: string;
  placeholder: string;
  search: string;
  setSearch: (text: string) => void;
  lines: readonly Line[];
  /** Index of the row that Enter selects. */
  at: number;
  setAt: (at: number) => void;
  take: (line: Line) => void;
  draw: (line: Line) => ReactNode;
  none: ReactNode;
}

/** The nearest selectable row, in the direction of the step first. */
export function isSelectable(lines: readonly Line[], at: number, step: number): number {
  const isFit = (place: number) => lines[place] !== undefined && lines[place].kind !== 'group';
  const wanted = Math.min(lines.length - 1, Math.max(0, at + step));
  const way = step < 0 ? -1 : 1;
  for (let place = wanted; place >= 0 && place < lines.length; place += way) if (isFit(place)) return place;
  for (let place = wanted; place >= 0 && place < lines.length; place -= way) if (isFit(place)) return place;
  return -1;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/**
 * A search over thousands of rows, of which only visible ones are drawn: typing filters, arrow keys move, Enter
 * selects.
 */
export function ModelList(props: ModelListProps) {
  const { lines, at, setAt } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (place) => (lines[place]?.kind === 'group' ? HEAD_PX : LINE_PX),
    getItemKey: (place) => lines[place]?.key ?? place,
    overscan: 6,
    initialRect: { width: 640, height: 400 },
  });
  // Only visible rows are drawn: the row reached by a key is scrolled into view first.
  const { scrollToIndex, measure } = virtual;
  useEffect(() => measure(), [lines, measure]);
  useEffect(() => {
    if (at >= 0) scrollToIndex(lines[at - 1]?.kind === 'group' ? at - 1 : at);
  }, [at, lines, scrollToIndex]);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    const line = lines[at];
    if (step !== undefined) setAt(isSelectable(lines, at, step));
    else if (event.key === 'Enter' && line) props.take(line);
    else return;
    event.preventDefault();
  };
  return (
    <div className="pick">
      <input
        className="pick-search"
        data-autofocus
        role="combobox"
        aria-label={props.label}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        spellCheck={false}
        placeholder={props.placeholder}
        value={props.search}
        onChange={(event) => props.setSearch(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div ref={box} id={id} className="pick-list model-list" role="listbox" aria-label={props.label}>
        {lines.length === 0 && <div className="pick-none">{props.none}</div>}
        <div role="presentation" className="model-lines" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index];
            if (!line) return null;
            const place = { transform: `translateY(${start}px)` };
            if (line.kind === 'group') {
              return (
                <div key={key} className="pick-group model-group" role="presentation" style={place}>
                  {props.draw(line)}
                </div>
              );
            }
            return (
              <div
                key={key}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                aria-setsize={lines.length}
                aria-posinset={index + 1}
                className="pick-entry model-line"
                style={place}
                onMouseMove={() => setAt(index)}
                onClick={() => props.take(line)}
              >
                {props.draw(line)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
