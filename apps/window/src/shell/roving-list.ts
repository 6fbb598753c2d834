import { type KeyboardEvent, type RefObject, useEffect } from 'react';

/** The entries among which arrow keys move; each has `tabIndex={-1}`. */
const ENTRY = '[data-roving]';
/** Further buttons of the line of an entry. */
const LINE = '.nav-line';

const visible = (element: HTMLElement): boolean => element.getClientRects().length > 0;

/** Gives the Tab stop to one entry: of React's attributes it is the only one changed, and React does not reset it. */
function setStop(list: HTMLElement, entry: HTMLElement | undefined): void {
  for (const other of list.querySelectorAll<HTMLElement>(ENTRY)) other.tabIndex = other === entry ? 0 : -1;
}

/**
 * Makes the entries of a container one Tab stop: Up, Down, Home and End move between them, Right and Left to the buttons
 * of a line and back.
 */
export function useRovingList(list: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    // The current page, which may be listed later than others; with the focus in the list, the entry that has it.
    const keepStop = () => {
      const entries = [...element.querySelectorAll<HTMLElement>(ENTRY)];
      const stop = entries.find(({ tabIndex }) => tabIndex === 0);
      if (stop && element.contains(document.activeElement)) return;
      const next = entries.find((entry) => entry.classList.contains('active')) ?? stop ?? entries[0];
      if (next !== stop) setStop(element, next);
    };
    keepStop();
    const watch = new MutationObserver(keepStop);
    watch.observe(element, { childList: true, subtree: true, attributeFilter: ['class'] });
    const follow = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(ENTRY)) setStop(element, target);
    };
    element.addEventListener('focusin', follow);
    return () => {
      watch.disconnect();
      element.removeEventListener('focusin', follow);
    };
  }, [list]);

  return (event) => {
    const target = event.target as HTMLElement;
    // Text fields and open menus use these keys themselves.
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest('input, [role="menu"]')) return;
    const entry = target.closest<HTMLElement>(ENTRY) ?? target.closest(LINE)?.querySelector<HTMLElement>(ENTRY);
    if (!entry) return;
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>(ENTRY)].filter(visible);
    const buttons = [...(entry.closest(LINE)?.querySelectorAll<HTMLElement>('button') ?? [])].filter(visible);
    const at = entries.indexOf(entry);
    const button = buttons.indexOf(target);
    const next = {
      ArrowDown: entries[at + 1],
      ArrowUp: entries[at - 1],
      Home: entries[0],
      End: entries.at(-1),
      ArrowRight: buttons[button + 1],
      ArrowLeft: button > 0 ? buttons[button - 1] : entry,
    }[event.key];
    if (!next || next === target) return;
    event.preventDefault();
    next.focus();
  };
}
