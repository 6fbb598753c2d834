import { readStored, writeStored } from '../../ambient.ts';
import type { NoteFields } from '../../wire/notes-tasks-memories.ts';

/** A note as it stands in the editor: the title may be empty, the text may be longer than can be saved. */
export interface NoteDraft {
  title: string;
  content: string;
}

export const MAX_TITLE = 120;
export const MAX_CONTENT = 8_000;

/** What is sent for it: an untitled note is called by its first line. Undefined while there is nothing that can be saved. */
export function fieldsOf({ title, content }: NoteDraft): NoteFields | undefined {
  const text = content.trim();
  if (text === '' || text.length > MAX_CONTENT) return undefined;
  const first = text.split('\n', 1)[0] ?? '';
  const name = title.trim() || first.replace(/^[#>*+\-\s]+/, '').trim() || first.trim();
  return { titolo: name.slice(0, MAX_TITLE), contenuto: text };
}

const isDraft = (value: unknown): value is NoteDraft =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as NoteDraft).title === 'string' &&
  typeof (value as NoteDraft).content === 'string';

const place = (id: string | undefined): string => `note.${id ?? 'new'}`;

/** What was written and is not saved yet survives the page. */
export const recallDraft = (id: string | undefined): NoteDraft | undefined => readStored(place(id), isDraft);
export const keepDraft = (id: string | undefined, draft: NoteDraft | null): void => void writeStored(place(id), draft);
