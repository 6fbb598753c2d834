import { type ReactNode, useSyncExternalStore } from 'react';
import { nextFrame } from '../ambient.ts';
import { restoreFocus } from './focus-restore.ts';

/** An image of this window. */
export interface ShownImage {
  url: string;
  name: string;
}

/** The current overlay: at most one. */
export type Overlay =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'model'; value: string; choose: (id: string) => void }
  | { kind: 'sessionSettings'; sessionId: string }
  | { kind: 'rename'; sessionId: string; name: string }
  | { kind: 'share'; sessionId: string; name: string }
  | { kind: 'help' }
  | { kind: 'image'; images: readonly ShownImage[]; at: number }
  | { kind: 'failure'; title: string; error: unknown }
  | {
      kind: 'confirm';
      title: string;
      text: ReactNode;
      act: string;
      isDangerous: boolean;
      /** Resolves when done; an error is shown in the dialog, which stays open. */
      run: () => Promise<unknown>;
    };

const listeners = new Set<() => void>();
let overlay: Overlay | undefined;
/** Had the focus before the overlay. */
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
