import { Check, Ellipsis } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';

export interface MenuEntry {
  id: string;
  icon?: ReactNode;
  name: string;
  /** A second line. */
  why?: string;
  /** The menu is a choice of one, and this entry applies or does not. */
  isChosen?: boolean;
  isDisabled?: boolean;
  isDangerous?: boolean;
  /** The entry is a link to it. */
  href?: string;
  act: () => void;
}

/** Arrow keys move through enabled entries. */
export function moveMenuFocus(event: KeyboardEvent<HTMLElement>): void {
  const entries = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])'),
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
      role: entry.isChosen === undefined ? 'menuitem' : 'menuitemradio',
      'aria-checked': entry.isChosen,
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
    const content = (
      <>
        {entry.isChosen === undefined ? entry.icon : <Check size={14} className="menu-check" aria-hidden />}
        <span className="menu-name">
          {entry.name}
          {entry.why && <span className="menu-why">{entry.why}</span>}
        </span>
      </>
    );
    return entry.href === undefined ? (
      <button key={entry.id} type="button" {...attributes}>
        {content}
      </button>
    ) : (
      <a key={entry.id} href={entry.href} {...attributes}>
        {content}
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
  /** Called when it opens and closes. */
  toggled?: (isOpen: boolean) => void;
  className: string;
  /** -1: reached with arrow keys. */
  tabIndex?: number;
}

/** A menu button; the menu is above all other content. Esc or a click elsewhere closes it. */
export function Menu({ label, entries, icon, isOpened = false, toggled, className, tabIndex }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isWanted = useRef(false);
  useEffect(() => {
    if (isOpened) list.current?.showPopover();
  }, [isOpened]);
  // The browser closes a menu without an event when what it belongs to takes another place in the page.
  useLayoutEffect(() => {
    if (isWanted.current && !list.current?.matches(':popover-open')) list.current?.showPopover();
  });
  const report = useEffectEvent((isOpen: boolean) => toggled?.(isOpen));
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const remember = (event: ToggleEvent) => {
      isWanted.current = event.newState === 'open';
    };
    const place = (event: ToggleEvent) => {
      const isOpen = event.newState === 'open';
      button.current?.setAttribute('aria-expanded', String(isOpen));
      report(isOpen);
      if (!isOpen) return;
      const box = button.current?.getBoundingClientRect();
      if (!box) return;
      const isBelow = box.bottom + 4 + element.offsetHeight <= innerHeight - 8;
      element.style.top = `${isBelow ? box.bottom + 4 : Math.max(8, box.top - element.offsetHeight - 4)}px`;
      const wanted = box.left < innerWidth / 2 ? box.left : box.right - element.offsetWidth;
      element.style.left = `${Math.max(8, Math.min(wanted, innerWidth - element.offsetWidth - 8))}px`;
      const entry =
        element.querySelector<HTMLElement>('[aria-checked="true"]') ?? element.querySelector('[role^="menuitem"]');
      (entry as HTMLElement | null)?.focus();
    };
    element.addEventListener('beforetoggle', remember);
    element.addEventListener('toggle', place);
    return () => {
      element.removeEventListener('beforetoggle', remember);
      element.removeEventListener('toggle', place);
    };
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
        tabIndex={tabIndex}
      >
        {icon ?? <Ellipsis size={14} aria-hidden />}
      </button>
      <div ref={list} id={id} popover="auto" className="menu" role="menu" aria-label={label} onKeyDown={moveMenuFocus}>
        <MenuEntries entries={entries} list={list} />
      </div>
    </>
  );
}
