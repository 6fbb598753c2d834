import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { MenuEntry } from '../../parts/menu.tsx';

interface PointMenuProps {
  label: string;
  at: { x: number; y: number };
  entries: readonly MenuEntry[];
  close: () => void;
}

/** A list of things to do where the person pressed. Arrows walk it, Esc and a press elsewhere close it. */
export function PointMenu({ label, at, entries, close }: PointMenuProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    element.showPopover();
    element.style.left = `${Math.max(8, Math.min(at.x, innerWidth - element.offsetWidth - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(at.y, innerHeight - element.offsetHeight - 8))}px`;
    element.querySelector<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')?.focus();
  }, [at]);
  useEffect(() => {
    const element = list.current;
    const toggled = (event: ToggleEvent) => event.newState === 'closed' && close();
    element?.addEventListener('toggle', toggled);
    return () => element?.removeEventListener('toggle', toggled);
  }, [close]);
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')];
    const place = all.indexOf(document.activeElement as HTMLElement);
    const next = {
      ArrowDown: all[(place + 1) % all.length],
      ArrowUp: all.at(place <= 0 ? -1 : place - 1),
      Home: all[0],
      End: all.at(-1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div ref={list} popover="auto" className="menu" role="menu" aria-label={label} onKeyDown={walk}>
      {entries.map((entry) => (
        <button
          key={entry.id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="menu-entry"
          data-danger={entry.isDangerous || undefined}
          aria-disabled={entry.isDisabled ?? false}
          onClick={() => {
            if (entry.isDisabled) return;
            list.current?.hidePopover();
            entry.act();
          }}
        >
          {entry.icon}
          {entry.name}
        </button>
      ))}
    </div>
  );
}
