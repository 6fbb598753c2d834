import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { nextFrame } from '../../ambient.ts';

type Direction = 'next' | 'previous';

/** The first of consecutive changed lines, or a button that shows more lines. */
interface Stop {
  element: HTMLElement;
  isClosed: boolean;
}

const CHANGED = '.diff-line:is([data-kind="added"], [data-kind="removed"])';

/** The previous line, skipping comments in between. */
function lineBefore(line: Element): Element | undefined {
  let before = line.previousElementSibling;
  while (before && !before.matches('.diff-line')) before = before.previousElementSibling;
  return before ?? undefined;
}

function stopsIn(file: Element): Stop[] {
  const closed = file.querySelector<HTMLElement>('.fold-head[aria-expanded="false"]');
  if (closed) return [{ element: closed, isClosed: true }];
  const lines = [...file.querySelectorAll<HTMLElement>(CHANGED)].filter((line) => !lineBefore(line)?.matches(CHANGED));
  const more = [...file.querySelectorAll<HTMLElement>('.diff-more')];
  return [
    ...lines.map((element) => ({ element, isClosed: false })),
    ...more.map((element) => ({ element, isClosed: true })),
  ];
}

const isBefore = (one: Element, other: Element): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !one.contains(other);

/** The next stop after `from`, or the one before it; wraps around at the ends. */
function following(stops: readonly Stop[], from: Element | undefined, direction: Direction): Stop | undefined {
  if (!from) return direction === 'next' ? stops[0] : stops.at(-1);
  if (direction === 'next') {
    return stops.find(({ element, isClosed }) => isBefore(from, element) || (isClosed && element === from)) ?? stops[0];
  }
  return stops.findLast(({ element }) => isBefore(element, from) && !element.contains(from)) ?? stops.at(-1);
}

/** Steps through the changes of all files, also with F7 and Shift+F7. Opens closed files. */
export function useChangeSteps(frame: RefObject<HTMLElement | null>): Record<Direction, () => void> {
  const last = useRef<Element>(undefined);
  const step = useCallback(
    (direction: Direction) => {
      const files = [...(frame.current?.querySelectorAll('.change') ?? [])];
      const focused = files.find((file) => file.contains(document.activeElement)) && document.activeElement;
      const from = focused ?? (last.current?.isConnected ? last.current : undefined);
      const show = ({ element, isClosed }: Stop, from: Element | undefined): void => {
        if (!isClosed) {
          last.current = element;
          element.querySelector<HTMLElement>('.line-add')?.focus({ preventScroll: true });
          return element.scrollIntoView({ block: 'center' });
        }
        const file = element.closest('.change');
        element.click();
        // Rendered by then.
        nextFrame(() => {
          if (!file) return;
          const stops = stopsIn(file).filter(({ isClosed: isStillClosed }) => !isStillClosed);
          const next = direction === 'next' ? from && stops.find((stop) => isBefore(from, stop.element)) : stops.at(-1);
          if (next ?? stops[0]) return show((next ?? stops[0]) as Stop, from);
          // A file without lines to show.
          last.current = element;
          element.focus();
        });
      };
      const stop = following(files.flatMap(stopsIn), from, direction);
      if (stop) show(stop, from);
    },
    [frame],
  );
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'F7' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      step(event.shiftKey ? 'previous' : 'next');
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [step]);
  return { next: () => step('next'), previous: () => step('previous') };
}
