import { useEffect, useState } from 'react';
import { nextFrame } from '../ambient.ts';

/** Where nothing has taken the focus meanwhile, it goes back to where it came from. */
export function restoreFocus(opener: Element | null): void {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
}

/** For what floats above the page as long as it is drawn: whoever had the focus before has it afterwards. */
export function useFocusRestore(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => void nextFrame(() => restoreFocus(opener)), [opener]);
}
