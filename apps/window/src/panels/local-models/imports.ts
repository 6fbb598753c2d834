import { idOf } from '@fucina/shared/model-files';
import { useSyncExternalStore } from 'react';
import type { InstalledModel } from '../../wire/local-models.ts';
import { sendModel } from '../../wire/local-models.ts';

/** One file on its way in; it goes on while the user looks at something else of the window. */
export interface Import {
  name: string;
  totalBytes: number;
  sentBytes: number;
  /** Why it did not arrive; undefined while it is on its way. */
  error: unknown;
  cancel(): void;
}

const listeners = new Set<() => void>();
let current: Import | undefined;

function put(next: Import | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

export const forgetImport = (): void => put(undefined);

export function useImport(): Import | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Undefined when it did not arrive: why is in the import itself, which stays until it is forgotten. */
export async function importFile(file: File): Promise<InstalledModel | undefined> {
  const stop = new AbortController();
  const state = { name: file.name, totalBytes: file.size, sentBytes: 0, error: undefined };
  const own: Import = { ...state, cancel: () => stop.abort() };
  put(own);
  const onProgress = (sentBytes: number): void => put({ ...own, sentBytes });
  try {
    const made = await sendModel(file, idOf(file.name.replace(/\.gguf$/i, '')), { onProgress, signal: stop.signal });
    put(undefined);
    return made;
  } catch (error) {
    put(stop.signal.aborted ? undefined : { ...own, error });
    return undefined;
  }
}

const MAGIC = 'GGUF';

/** Looked at before anything is sent: a wrong file of many gigabytes is told at once. */
export async function isGguf(file: File): Promise<boolean> {
  return /\.gguf$/i.test(file.name) && (await file.slice(0, MAGIC.length).text()) === MAGIC;
}
