import type { Buffer } from './buffer.ts';

/** Edits of one kind in a row are taken back together; `step` always stands alone. */
export type EditKind = 'type' | 'delete' | 'step';

export interface UndoStack {
  /** Tells what the buffer was before an edit, and the edit's kind. */
  note(before: Buffer, kind: EditKind): void;
  /** The cursor was moved by hand: what is written next is a new group. */
  cut(): void;
  undo(present: Buffer): Buffer | undefined;
  redo(present: Buffer): Buffer | undefined;
  forget(): void;
}

const MAX_STEPS = 1_000;

export function createUndoStack(): UndoStack {
  let past: Buffer[] = [];
  let future: Buffer[] = [];
  let lastKind: EditKind | undefined;

  return {
    note(before, kind) {
      future = [];
      const goesOn = kind !== 'step' && kind === lastKind && past.length > 0;
      if (!goesOn) past.push({ text: before.text, cursor: before.cursor });
      if (past.length > MAX_STEPS) past.shift();
      lastKind = kind;
    },
    cut() {
      lastKind = undefined;
    },
    undo(present) {
      const before = past.pop();
      if (before) future.push(present);
      lastKind = undefined;
      return before;
    },
    redo(present) {
      const after = future.pop();
      if (after) past.push(present);
      lastKind = undefined;
      return after;
    },
    forget() {
      past = [];
      future = [];
      lastKind = undefined;
    },
  };
}
