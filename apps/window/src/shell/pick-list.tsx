import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

export interface PickEntry {
  id: string;
  /** Entries with the same heading are grouped. */
  group: string;
  node: ReactNode;
  pick: () => void;
}

/** A searchable list: typing filters, arrow keys move, Enter selects. */
export function PickList(props: {
  label: string;
  placeholder: string;
  search: string;
  setSearch: (text: string) => void;
  entries: readonly PickEntry[];
  none: ReactNode;
}) {
  const id = useId();
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // The dialog would focus it a moment later, and the first letters would go to the page.
  useLayoutEffect(() => input.current?.focus(), []);
  const current = Math.min(at, props.entries.length - 1);
  useEffect(() => setAt(0), [props.search]);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt(Math.min(props.entries.length - 1, Math.max(0, current + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      props.entries[current]?.pick();
    }
  };
  let group: string | undefined;
  return (
    <div className="pick">
      <input
        ref={input}
        className="pick-search"
        data-autofocus
        role="combobox"
        aria-label={props.label}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={props.entries.length > 0 ? `${id}-${current}` : undefined}
        placeholder={props.placeholder}
        value={props.search}
        onChange={(event) => props.setSearch(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div ref={list} id={id} className="pick-list" role="listbox" aria-label={props.label}>
        {props.entries.length === 0 && <div className="pick-none">{props.none}</div>}
        {props.entries.map((entry, place) => {
          const heading = entry.group === group ? undefined : entry.group;
          group = entry.group;
          return (
            <div key={entry.id} role="presentation">
              {heading && (
                <div className="pick-group" role="presentation">
                  {heading}
                </div>
              )}
              <div
                id={`${id}-${place}`}
                role="option"
                tabIndex={-1}
                aria-selected={place === current}
                data-at={place}
                className="pick-entry"
                onMouseMove={() => setAt(place)}
                onClick={entry.pick}
              >
                {entry.node}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Lower case without accents, for search. */
export const foldedText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Every word of the search occurs in the text. */
export function matches(text: string, search: string): boolean {
  const haystack = foldedText(text);
  return foldedText(search)
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
