import { characterBoundaryAt } from './text.ts';

/** A text being edited, with cursor and selection start. Immutable. */
export interface Buffer {
  readonly text: string;
  readonly cursor: number;
  readonly anchor?: number | undefined;
}

export interface Range {
  from: number;
  to: number;
}

export const EMPTY_BUFFER: Buffer = { text: '', cursor: 0 };

export function bufferOf(text: string, cursor = text.length): Buffer {
  return { text, cursor: characterBoundaryAt(text, cursor) };
}

/** Undefined when nothing is selected. */
export function selectionOf({ cursor, anchor }: Buffer): Range | undefined {
  if (anchor === undefined || anchor === cursor) return undefined;
  return { from: Math.min(anchor, cursor), to: Math.max(anchor, cursor) };
}

export function moveTo(buffer: Buffer, cursor: number, isSelecting = false): Buffer {
  const anchor = isSelecting ? (buffer.anchor ?? buffer.cursor) : undefined;
  return { text: buffer.text, cursor, anchor };
}

/** The cursor is after the inserted text. */
export function replaceRange({ text }: Buffer, { from, to }: Range, by: string): Buffer {
  return { text: text.slice(0, from) + by + text.slice(to), cursor: from + by.length };
}

/** Replaces the selection. */
export function insertText(buffer: Buffer, text: string): Buffer {
  return replaceRange(buffer, selectionOf(buffer) ?? { from: buffer.cursor, to: buffer.cursor }, text);
}
