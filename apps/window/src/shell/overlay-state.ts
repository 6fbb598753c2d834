import { useSyncExternalStore } from 'react';

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
      text: string;
      act: string;
      isDangerous: boolean;
      /** Resolves when done; what it throws is shown in the dialog, which then stays. */
      run: () => Promise<unknown>;
    };

const listeners = new Set<() => void>();
let overlay: Overlay | undefined;

export function openOverlay(next: Overlay | undefined): void {
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
