import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from 'react';
import { isMac } from '../../shell/shortcuts.ts';
import type { LibraryItem } from '../../wire/library.ts';
import { useWords } from '../../words/words.ts';
import { ItemRow } from './item-row.tsx';
import { NO_SELECTION, rowAfterKey, type Selection, selectAll, selectOnly, selectRange, toggled } from './listing.ts';

interface ListProps {
  items: readonly LibraryItem[];
  shown: string | undefined;
  choice: Selection;
  choose: (choice: Selection) => void;
  open: (id: string) => void;
  /** The row that is being renamed. */
  named: string | undefined;
  name: (id: string | undefined) => void;
  rename: (item: LibraryItem, name: string) => void;
  remove: (items: readonly LibraryItem[]) => void;
}

const ROW_PX = 48;

/** The targets of an action: the selected rows if the current row is one of them, else the current row. */
function meant({ items, choice }: Pick<ListProps, 'items' | 'choice'>): LibraryItem[] {
  const { current, chosen } = choice;
  const isAmong = current === undefined || chosen.has(current);
  return items.filter(({ id }) => (isAmong ? chosen.has(id) : id === current));
}

function keyActs(props: ListProps, pageRows: () => number): (event: KeyboardEvent) => boolean {
  const { items, choice, choose } = props;
  return (event) => {
    const ids = items.map(({ id }) => id);
    const at = choice.current === undefined ? -1 : ids.indexOf(choice.current);
    const current = at < 0 ? undefined : ids[at];
    const hasMod = isMac ? event.metaKey : event.ctrlKey;
    if (hasMod && event.key.toLowerCase() === 'a') {
      choose(selectAll(ids, choice));
      return true;
    }
    if (event.altKey || hasMod) return false;
    const next = ids[rowAfterKey(event.key, at, { count: ids.length, page: pageRows() }) ?? -1];
    if (next !== undefined) choose(event.shiftKey ? selectRange(ids, choice, next) : selectOnly(next));
    else if (event.key === 'Escape' && choice.chosen.size > 0) choose({ ...NO_SELECTION, current });
    else if (current === undefined) return false;
    else if (event.key === 'Enter') props.open(current);
    else if (event.key === ' ') choose(toggled(choice, current));
    else if (event.key === 'F2') props.name(current);
    else if (event.key === 'Delete' || (isMac && event.key === 'Backspace')) props.remove(meant(props));
    else return false;
    return true;
  };
}

/** The items of a library; only visible ones are drawn. */
export function LibraryList(props: ListProps) {
  const { say } = useWords();
  const { items, choice, choose, named } = props;
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    getItemKey: (at) => items[at]?.id ?? at,
  });
  const at = items.findIndex((item) => item.id === choice.current);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
    // Scrolls only when the current row changes, not when rows move.
  }, [choice.current]);
  const keys = keyActs(props, () => Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / ROW_PX) - 1));
  const press = (item: LibraryItem, event: MouseEvent) => {
    grid.current?.focus({ preventScroll: true });
    if (isMac ? event.metaKey : event.ctrlKey) choose(toggled(choice, item.id));
    else if (event.shiftKey)
      choose(
        selectRange(
          items.map((one) => one.id),
          choice,
          item.id,
        ),
      );
    else {
      choose(selectOnly(item.id));
      props.open(item.id);
    }
  };
  return (
    <div ref={scroll} className="files-scroll">
      <div
        ref={grid}
        role="grid"
        className="library-grid"
        aria-label={say('session.library')}
        aria-multiselectable
        aria-rowcount={items.length}
        aria-activedescendant={at >= 0 ? `${id}${choice.current}` : undefined}
        tabIndex={0}
        style={{ height: virtual.getTotalSize() }}
        onFocus={(event) => {
          const first = items[0];
          if (event.target === event.currentTarget && at < 0 && first) choose({ ...choice, current: first.id });
        }}
        onKeyDown={(event) => {
          if (event.target === event.currentTarget && keys(event)) event.preventDefault();
        }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <ItemRow
              key={item.id}
              id={`${id}${item.id}`}
              item={item}
              place={index + 1}
              top={start}
              isCurrent={index === at}
              isChosen={choice.chosen.has(item.id)}
              isShown={item.id === props.shown}
              isNamed={item.id === named}
              press={press}
              finish={(name) => {
                props.name(undefined);
                if (name !== undefined) props.rename(item, name);
                grid.current?.focus({ preventScroll: true });
              }}
            />
          );
        })}
      </div>
    </div>
  );
}
