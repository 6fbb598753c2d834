import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';

export interface MenuEntry {
  id: string;
  icon: ReactNode;
  name: string;
  isDisabled?: boolean;
  isDangerous?: boolean;
  /** The entry is a link to it. */
  href?: string;
  act: () => void;
}

/** Arrow keys move through enabled entries. */
export function moveMenuFocus(event: KeyboardEvent<HTMLElement>): void {
  const entries = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])'),
  ];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const next = {
    ArrowDown: entries[(at + 1) % entries.length],
    ArrowUp: entries.at(at <= 0 ? -1 : at - 1),
    Home: entries[0],
    End: entries.at(-1),
  }[event.key];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The entries of an open menu, which closes before an action runs. */
export function MenuEntries({ entries, list }: { entries: readonly MenuEntry[]; list: RefObject<HTMLElement | null> }) {
  return entries.map((entry) => {
    const attributes = {
      role: 'menuitem',
      tabIndex: -1,
      className: 'menu-entry',
      'data-danger': entry.isDangerous || undefined,
      'aria-disabled': entry.isDisabled ?? false,
      onClick: () => {
        if (entry.isDisabled) return;
        list.current?.hidePopover();
        entry.act();
      },
    };
    return entry.href === undefined ? (
      <button key={entry.id} type="button" {...attributes}>
        {entry.icon}
        {entry.name}
      </button>
    ) : (
      <a key={entry.id} href={entry.href} {...attributes}>
        {entry.icon}
        {entry.name}
      </a>
    );
  });
}

interface MenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** Label of the button; three dots without one. */
  icon?: ReactNode;
  /** Initially open, because the click that requested it was already made. */
  isOpened?: boolean;
  className: string;
}

/** A menu button; the menu is above all other content. Esc or a click elsewhere closes it. */
export function Menu({ label, entries, icon, isOpened = false, className }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpened) list.current?.showPopover();
  }, [isOpened]);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const place = (event: ToggleEvent) => {
      const isOpen = event.newState === 'open';
      button.current?.setAttribute('aria-expanded', String(isOpen));
      if (!isOpen) return;
      const box = button.current?.getBoundingClientRect();
      if (!box) return;
      element.style.top = `${Math.min(box.bottom + 4, innerHeight - element.offsetHeight - 8)}px`;
      element.style.left = `${Math.max(8, box.right - element.offsetWidth)}px`;
      element.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    };
    element.addEventListener('toggle', place);
    return () => element.removeEventListener('toggle', place);
  }, []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`icon-button ${className}`}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={false}
        popoverTarget={id}
      >
        {icon ?? <Ellipsis size={14} aria-hidden />}
      </button>
      <div ref={list} id={id} popover="auto" className="menu" role="menu" aria-label={label} onKeyDown={moveMenuFocus}>
        <MenuEntries entries={entries} list={list} />
      </div>
    </>
  );
}
