import { useSyncExternalStore } from 'react';
import { later } from '../ambient.ts';

export interface ServerState {
  /** The last request got no answer. */
  isAway: boolean;
  /** It serves another build than the one that this page was loaded from. */
  isUpdated: boolean;
  /** It no longer accepts the token of this browser. */
  isSignedOut: boolean;
}

const POLL_MS = 1_000;

let state: ServerState = { isAway: false, isUpdated: false, isSignedOut: false };
let checking: Promise<ServerState> | undefined;
const listeners = new Set<() => void>();

function set(part: Partial<ServerState>): void {
  const next = { ...state, ...part };
  const isSame =
    next.isAway === state.isAway && next.isUpdated === state.isUpdated && next.isSignedOut === state.isSignedOut;
  if (isSame) return;
  state = next;
  for (const listener of listeners) listener();
}

export const setSignedOut = (isSignedOut: boolean): void => set({ isSignedOut });

const serverState = (): ServerState => state;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useServerState = (): ServerState => useSyncExternalStore(subscribe, serverState);

/** Script names contain a hash of their content: other names mean another build. */
const scriptsIn = (html: string): string =>
  [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => source).join();
const ownScripts = (): string =>
  [...document.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')).join();

async function ask(): Promise<ServerState> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    set({
      isAway: false,
      ...(response.ok && scriptsIn(await response.text()) !== ownScripts() && { isUpdated: true }),
    });
  } catch {
    set({ isAway: true });
    later(POLL_MS, () => void checkServer());
  }
  return state;
}

/** Requests the server's page once more. While it does not answer, retries every second. */
export function checkServer(): Promise<ServerState> {
  checking ??= ask().finally(() => {
    checking = undefined;
  });
  return checking;
}
