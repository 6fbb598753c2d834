import type { Buffer } from './buffer.ts';

/** Consecutive edits of one kind are undone together; `step` is always separate. */
export type EditKind = 'type' | 'delete' | 'step';

export interface UndoStack {
  /** Records the buffer before an edit, and the edit's kind. */
  note(before: Buffer, kind: EditKind): void;
  /** The cursor was moved: the next edit starts a new group. */
  cut(): void;
  undo(present: Buffer): Buffer | undefined;
  redo(present: Buffer): Buffer | undefined;
  forget(): void;
}

const MAX_STEPS = 1_000;
/** Limit for all steps together. */
const MAX_CHARACTERS = 8_000_000;

export function createUndoStack(): UndoStack {
  let past: Buffer[] = [];
  let future: Buffer[] = [];
  let lastKind: EditKind | undefined;
  /** Characters of `past`. */
  let size = 0;

  return {
    note(before, kind) {
      future = [];
      const goesOn = kind !== 'step' && kind === lastKind && past.length > 0;
      if (!goesOn) past.push({ text: before.text, cursor: before.cursor });
      if (!goesOn) size += before.text.length;
      while (past.length > MAX_STEPS || (size > MAX_CHARACTERS && past.length > 1))
        size -= past.shift()?.text.length ?? 0;
      lastKind = kind;
    },
    cut() {
      lastKind = undefined;
    },
    undo(present) {
      const before = past.pop();
      if (before) future.push(present);
      size -= before?.text.length ?? 0;
      lastKind = undefined;
      return before;
    },
    redo(present) {
      const after = future.pop();
      if (after) past.push(present);
      if (after) size += present.text.length;
      lastKind = undefined;
      return after;
    },
    forget() {
      past = [];
      size = 0;
      future = [];
      lastKind = undefined;
    },
  };
}
