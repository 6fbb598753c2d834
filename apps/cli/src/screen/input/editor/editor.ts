import type { Action } from '../keymap.ts';
import {
  type Buffer,
  bufferOf,
  EMPTY_BUFFER,
  insertText,
  moveTo,
  type Range,
  replaceRange,
  selectionOf,
} from './buffer.ts';
import { type Chip, type Chips, createChips, withoutMarks } from './chips.ts';
import { columnOf, createPager, offsetInRow, type Page, rowOf } from './rows.ts';
import { lineEnd, lineStart, nextPlace, previousPlace, spacedWordLeft, wordLeft, wordRight } from './text.ts';
import { createUndoStack, type EditKind } from './undo.ts';

/** A multi-line text editor: edits, undo, kill ring. */
export interface Editor {
  buffer(): Buffer;
  chips: Chips;
  /** The text to send. */
  whole(): string;
  /** Laid out in this many columns. */
  page(width: number): Page;
  type(text: string): void;
  /** A long text becomes a chip. */
  paste(text: string, label: (lines: number) => string): void;
  insertChip(chip: Chip): void;
  /** A separate edit from elsewhere: a completion, a vim command. */
  edit(next: Buffer, kind?: EditKind): void;
  /** Only moves the cursor. */
  place(next: Buffer): void;
  replace(range: Range, by: string): void;
  /** Replaces the text, with undo. Labels of images of `marked` represent them again. */
  set(text: string, marked?: string): void;
  /** Restores a sent text with its images, before text typed since. */
  takeBack(text: string): void;
  /** Clears text and undo history. */
  clear(): void;
  /** False: not an action of the editor, or without an effect. */
  act(action: Action, width: number): boolean;
  /** The last cut or copied text. */
  register: { text: string; isWholeLines: boolean };
  /** The last action was a cut: the next one is appended to it. */
  isCutting: boolean;
  undo(): boolean;
  redo(): boolean;
  /** A row up or down in the layout; false at the first or last. */
  moveRow(by: 1 | -1, width: number, isSelecting?: boolean): boolean;
}

const LONG_PASTE_LINES = 10;
const LONG_PASTE_CHARACTERS = 2_000;

export function createEditor(): Editor {
  const chips = createChips();
  const undos = createUndoStack();
  let buffer: Buffer = EMPTY_BUFFER;
  /** The column preserved by vertical moves. */
  let goal: number | undefined;
  const pager = createPager(chips.glyph);

  const editor: Editor = {
    buffer: () => buffer,
    chips,
    register: { text: '', isWholeLines: false },
    isCutting: false,
    whole: () => chips.expand(buffer.text),
    page: (width) => pager(buffer.text, width),
    type: (text) => editor.edit(insertText(buffer, withoutMarks(text)), /\s/.test(text) ? 'step' : 'type'),
    paste(pasted, label) {
      const text = withoutMarks(pasted);
      const lines = text.split('\n').length;
      const isLong = lines >= LONG_PASTE_LINES || text.length >= LONG_PASTE_CHARACTERS;
      if (isLong) editor.insertChip({ kind: 'text', text, label: label(lines) });
      else editor.edit(insertText(buffer, text));
    },
    insertChip: (chip) => editor.edit(insertText(buffer, chips.add(chip))),
    edit(next, kind = 'step') {
      if (next.text !== buffer.text) undos.note(buffer, kind);
      buffer = next;
      goal = undefined;
      editor.isCutting = false;
    },
    place(next) {
      if (next.cursor !== buffer.cursor) undos.cut();
      buffer = next;
      goal = undefined;
      editor.isCutting = false;
    },
    replace: (range, by) => editor.edit(replaceRange(buffer, range, by)),
    takeBack(text) {
      const since = buffer.text;
      const revived = chips.revive(withoutMarks(text));
      editor.edit(bufferOf(since === '' ? revived : `${revived}\n${since}`));
    },
    set: (text, marked = '') => editor.edit(bufferOf(chips.mark(withoutMarks(text), marked))),
    clear() {
      buffer = EMPTY_BUFFER;
      goal = undefined;
      editor.isCutting = false;
      undos.forget();
    },
    undo: () => restore(undos.undo(buffer)),
    redo: () => restore(undos.redo(buffer)),
    moveRow(by, width, isSelecting = false) {
      const page = editor.page(width);
      const row = rowOf(page.rows, buffer.cursor) + by;
      if (row < 0 || row >= page.rows.length) return false;
      const column = goal ?? columnOf(page, buffer.cursor);
      editor.place(moveTo(buffer, offsetInRow(page, row, column), isSelecting));
      goal = column;
      return true;
    },
    act(action, width) {
      const isSelecting = action.startsWith('select-');
      const name = isSelecting ? action.slice('select-'.length) : action;
      if (isSelecting && (name === 'up' || name === 'down')) {
        editor.moveRow(name === 'up' ? -1 : 1, width, true);
        return true;
      }
      const target = targetOf(name, buffer, () => editor.page(width));
      if (target !== undefined) {
        editor.place(moveTo(buffer, target, isSelecting));
        return true;
      }
      return EDITS[action]?.(editor) ?? false;
    },
  };

  function restore(found: Buffer | undefined): boolean {
    if (!found) return false;
    buffer = found;
    goal = undefined;
    editor.isCutting = false;
    return true;
  }

  return editor;
}

/** The target of a move; undefined for another action. */
function targetOf(name: string, buffer: Buffer, page: () => Page): number | undefined {
  const { text, cursor } = buffer;
  switch (name) {
    case 'left':
      return previousPlace(text, cursor);
    case 'right':
      return nextPlace(text, cursor);
    case 'word-left':
      return wordLeft(text, cursor);
    case 'word-right':
      return wordRight(text, cursor);
    case 'line-start':
      return rowStart(page(), cursor);
    case 'line-end':
      return rowEnd(page(), cursor);
    default:
      return undefined;
  }
}

/** Of the layout row; if repeated, of the line. */
function rowStart({ text, rows }: Page, cursor: number): number {
  const from = rows[rowOf(rows, cursor)]?.from ?? 0;
  return from === cursor ? lineStart(text, cursor) : from;
}

function rowEnd({ text, rows }: Page, cursor: number): number {
  const index = rowOf(rows, cursor);
  const to = rows[index]?.to ?? text.length;
  const last = rows[index + 1]?.from === to ? previousPlace(text, to) : to;
  return last === cursor ? lineEnd(text, cursor) : last;
}

/** Each returns whether it had an effect. */
const EDITS: Partial<Record<Action, (editor: Editor) => boolean>> = {
  newline: (editor) => {
    editor.edit(insertText(editor.buffer(), '\n'));
    return true;
  },
  undo: (editor) => editor.undo(),
  redo: (editor) => editor.redo(),
  copy: (editor) => take(editor),
  paste: (editor) => {
    const { text } = editor.register;
    if (text !== '') editor.edit(insertText(editor.buffer(), text));
    return true;
  },
  'cut-line-start': (editor) => cut(editor, (text, at) => Math.min(at, lineStart(text, at))),
  'cut-line-end': (editor) =>
    // At the end of a line, the line break itself.
    cut(editor, (text, at) => (lineEnd(text, at) === at ? nextPlace(text, at) : lineEnd(text, at))),
  'cut-word': (editor) => cut(editor, spacedWordLeft),
  'cut-word-right': (editor) => cut(editor, wordRight),
  'delete-left': (editor) => erase(editor, previousPlace),
  'delete-right': (editor) => erase(editor, nextPlace),
};

/** The selection, or the text between the cursor and the target of the move. */
function rangeFor(buffer: Buffer, move: (text: string, at: number) => number): Range {
  const { text, cursor } = buffer;
  const to = move(text, cursor);
  return selectionOf(buffer) ?? { from: Math.min(cursor, to), to: Math.max(cursor, to) };
}

function cut(editor: Editor, move: (text: string, at: number) => number): boolean {
  const buffer = editor.buffer();
  const range = rangeFor(buffer, move);
  if (range.from === range.to) return true;
  const piece = buffer.text.slice(range.from, range.to);
  const before = editor.isCutting ? editor.register.text : '';
  const text = range.from < buffer.cursor ? piece + before : before + piece;
  editor.replace(range, '');
  editor.register = { text, isWholeLines: false };
  editor.isCutting = true;
  return true;
}

function erase(editor: Editor, move: (text: string, at: number) => number): boolean {
  const buffer = editor.buffer();
  const range = rangeFor(buffer, move);
  if (range.from === range.to) return false;
  editor.edit(replaceRange(buffer, range, ''), 'delete');
  return true;
}

/** Copies the selection. */
function take(editor: Editor): boolean {
  const buffer = editor.buffer();
  const selected = selectionOf(buffer);
  if (!selected) return false;
  editor.register = { text: buffer.text.slice(selected.from, selected.to), isWholeLines: false };
  return true;
}
