import { type ReactNode, useSyncExternalStore } from 'react';
import { nextFrame } from '../ambient.ts';
import { restoreFocus } from './focus-restore.ts';

/** What floats above the page: one thing at a time. */
export type Overlay =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'model'; value: string; choose: (id: string) => void }
  | { kind: 'sessionSettings'; sessionId: string }
  | { kind: 'help' }
  | { kind: 'failure'; title: string; error: unknown }
  | {
      kind: 'confirm';
      title: string;
      text: ReactNode;
      act: string;
      isDangerous: boolean;
      /** Resolves when done; what it throws is shown in the dialog, which then stays. */
      run: () => Promise<unknown>;
    };

const listeners = new Set<() => void>();
let overlay: Overlay | undefined;
/** Had the focus when something began to float. */
let opener: Element | null = null;

export function openOverlay(next: Overlay | undefined): void {
  if (!overlay) opener = document.activeElement;
  if (!next) {
    nextFrame(() => {
      if (!overlay) restoreFocus(opener);
    });
  }
  overlay = next;
  for (const listener of listeners) listener();
}

export const closeOverlay = (): void => openOverlay(undefined);

export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => overlay,
  );
}
