import type { EditorState, Text } from '@codemirror/state';
import { useSyncExternalStore } from 'react';
import { later } from '../../../ambient.ts';
import { movedPath } from '../paths.ts';

/** A file opened for editing, kept while this page is open, also when another file or view is shown. */
export interface Edit {
  /** Undefined until its text was read. */
  buffer: Buffer | undefined;
  /** Its last save. Never rejects. */
  saving?: Promise<void>;
}

export interface Buffer {
  state: EditorState;
  /** The text on the disk, as last read or saved, and the SHA-256 of its bytes; null: there is no file. */
  saved: Text;
  hash: string | null;
}

const edits = new Map<string, Edit>();
const listeners = new Set<() => void>();
const keyOf = (sessionId: string, path: string): string => `${sessionId}\n${path}`;

function change(act: () => void): void {
  act();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isDirty = ({ buffer }: Edit): boolean => buffer !== undefined && !buffer.state.doc.eq(buffer.saved);

export const startEdit = (sessionId: string, path: string): void =>
  change(() => edits.set(keyOf(sessionId, path), edits.get(keyOf(sessionId, path)) ?? { buffer: undefined }));

export const endEdit = (sessionId: string, path: string): void => change(() => edits.delete(keyOf(sessionId, path)));

export function setBuffer(sessionId: string, path: string, buffer: Buffer): void {
  const edit = edits.get(keyOf(sessionId, path));
  if (edit) change(() => edits.set(keyOf(sessionId, path), { ...edit, buffer }));
}

/** From now on `afterSave` waits for it. */
export function noteSave(sessionId: string, path: string, save: Promise<unknown>): void {
  const edit = edits.get(keyOf(sessionId, path));
  const nothing = (): void => undefined;
  if (edit) change(() => edits.set(keyOf(sessionId, path), { ...edit, saving: save.then(nothing, nothing) }));
}

const LONGEST_SAVE_MS = 1_000;

/** Runs `act` once the last save of a file has ended, or takes long; at once if there is none. */
export function afterSave(sessionId: string, path: string, act: () => void): void {
  const saving = edits.get(keyOf(sessionId, path))?.saving;
  if (!saving) return act();
  const limit = new Promise<void>((resolve) => void later(LONGEST_SAVE_MS, resolve));
  void Promise.race([saving, limit]).then(act);
}

/** After an entry (with its contents) was moved or renamed. */
export function moveEdits(sessionId: string, from: string, to: string): void {
  change(() => {
    for (const [key, edit] of edits) {
      const [session = '', path = ''] = key.split('\n');
      const next = session === sessionId ? movedPath(path, from, to) : undefined;
      if (next === undefined) continue;
      edits.delete(key);
      edits.set(keyOf(sessionId, next), edit);
    }
  });
}

export const useEdit = (sessionId: string, path: string): Edit | undefined =>
  useSyncExternalStore(subscribe, () => edits.get(keyOf(sessionId, path)));

/** Whether a file has changes that are not saved. */
export const isUnsaved = (sessionId: string, path: string): boolean => {
  const edit = edits.get(keyOf(sessionId, path));
  return edit !== undefined && isDirty(edit);
};

/** The paths of a session's files with changes that are not saved, joined by line breaks. */
export const useUnsaved = (sessionId: string): ReadonlySet<string> => {
  const text = useSyncExternalStore(subscribe, () =>
    [...edits]
      .filter(([key, edit]) => key.startsWith(`${sessionId}\n`) && isDirty(edit))
      .map(([key]) => key.slice(sessionId.length + 1))
      .join('\n'),
  );
  return new Set(text === '' ? [] : text.split('\n'));
};

// The browser asks before it closes or reloads a page with unsaved text.
addEventListener('beforeunload', (event) => {
  if ([...edits.values()].some(isDirty)) event.preventDefault();
});
