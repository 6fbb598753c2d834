import { readStored, writeStored } from '../../ambient.ts';
import type { NoteFields } from '../../wire/notes-tasks-memories.ts';

/** A note in the editor: the title may be empty, and the text longer than allowed. */
export interface NoteDraft {
  title: string;
  content: string;
}

export const MAX_TITLE = 120;
export const MAX_CONTENT = 8_000;

/** The fields to send: the first line is the title of an untitled note. Undefined while it cannot be saved. */
export function fieldsOf({ title, content }: NoteDraft): NoteFields | undefined {
  const text = content.trim();
  if (text === '' || text.length > MAX_CONTENT) return undefined;
  const first = text.split('\n', 1)[0] ?? '';
  const name = title.trim() || first.replace(/^[#>*+\-\s]+/, '').trim() || first.trim();
  return { title: name.slice(0, MAX_TITLE), content: text };
}

const isDraft = (value: unknown): value is NoteDraft =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as NoteDraft).title === 'string' &&
  typeof (value as NoteDraft).content === 'string';

const place = (id: string | undefined): string => `note.${id ?? 'new'}`;

/** Unsaved changes survive a reload. */
export const recallDraft = (id: string | undefined): NoteDraft | undefined => readStored(place(id), isDraft);
export const keepDraft = (id: string | undefined, draft: NoteDraft | null): void => void writeStored(place(id), draft);
