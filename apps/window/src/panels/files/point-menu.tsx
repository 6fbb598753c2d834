import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { MenuEntries, type MenuEntry, moveMenuFocus } from '../../parts/menu.tsx';

interface PointMenuProps {
  label: string;
  at: { x: number; y: number };
  entries: readonly MenuEntry[];
  close: () => void;
}

/** A context menu at the mouse position. Arrow keys move through it, Esc or a click elsewhere closes it. */
export function PointMenu({ label, at, entries, close }: PointMenuProps) {
  const list = useRef<HTMLDivElement>(null);
  // Restores the focus, unless an action of the menu took it.
  useLayoutEffect(() => {
    const element = list.current;
    const before = document.activeElement;
    return () => {
      const now = document.activeElement;
      const isLost = now === document.body || element?.contains(now);
      if (isLost && before instanceof HTMLElement) before.focus();
    };
  }, []);
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
    const pressed = (event: PointerEvent) => element?.contains(event.target as Node) || close();
    element?.addEventListener('toggle', toggled);
    document.addEventListener('pointerdown', pressed, true);
    return () => {
      element?.removeEventListener('toggle', toggled);
      document.removeEventListener('pointerdown', pressed, true);
    };
  }, [close]);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    if (event.key === 'Escape') close();
    moveMenuFocus(event);
  };
  // Not `auto`: if the menu opens on mouse down, the mouse up would close it.
  return (
    <div ref={list} popover="manual" className="menu" role="menu" aria-label={label} onKeyDown={press}>
      <MenuEntries entries={entries} list={list} />
    </div>
  );
}
