import { useEffect, useState } from 'react';
import { nextFrame } from '../ambient.ts';

/** Restores the focus, unless something else has taken it. */
export function restoreFocus(opener: Element | null): void {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
}

/** For overlays: restores the previous focus when they close. */
export function useFocusRestore(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => void nextFrame(() => restoreFocus(opener)), [opener]);
}
