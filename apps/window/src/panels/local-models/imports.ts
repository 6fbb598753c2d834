import { idOf } from '@fucina/shared/model-files';
import { useSyncExternalStore } from 'react';
import type { InstalledModel } from '../../wire/local-models.ts';
import { sendModel } from '../../wire/local-models.ts';

/** A file being uploaded; the upload continues while the user visits other pages. */
export interface Import {
  name: string;
  totalBytes: number;
  sentBytes: number;
  /** The error; undefined while it is in progress. */
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

/** Undefined when it failed: the error is in the import itself, which stays until dismissed. */
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

/** Checked before the upload: an invalid file of many gigabytes is rejected at once. */
export async function isGguf(file: File): Promise<boolean> {
  return /\.gguf$/i.test(file.name) && (await file.slice(0, MAGIC.length).text()) === MAGIC;
}
