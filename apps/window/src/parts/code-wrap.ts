import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../ambient.ts';

const STORAGE_KEY = 'code.isWrapped';
const listeners = new Set<() => void>();
let isWrapped = readStored(STORAGE_KEY, (value): value is boolean => typeof value === 'boolean') ?? false;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Wraps the lines of every code block of the window, or lets them scroll; remembered in this browser. */
export function wrapCode(next: boolean): void {
  isWrapped = next;
  writeStored(STORAGE_KEY, next);
  for (const listener of listeners) listener();
}

export const useCodeWrap = (): boolean => useSyncExternalStore(subscribe, () => isWrapped);
