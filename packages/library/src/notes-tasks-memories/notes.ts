import * as z from 'zod';
import { checked, checkedPatch, present } from '../errors.ts';
import { detectNoteFormat, type NoteFormat } from './note-format.ts';
import {
  createRecordTable,
  type LibraryRecord,
  type ListOptions,
  type Origin,
  type RecordTableNeeds,
} from './record-table.ts';

export interface Note extends LibraryRecord {
  content: string;
  /** The chosen format, else the detected one. */
  format: NoteFormat;
}

export interface NewNote {
  /** 1 to 120 characters once trimmed. */
  title: string;
  /** 1 to 8,000 characters once trimmed. */
  content: string;
  /** null, the default: detected from the content, also when it changes. */
  format?: NoteFormat | null | undefined;
}

type Patch<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined };

/** Throws NOTE_INVALID for invalid fields, NOTE_NOT_FOUND for an unknown id. */
export interface Notes {
  list(options?: ListOptions): Note[];
  read(id: string): Note;
  create(note: NewNote, origin: Origin): Promise<Note>;
  /** Changes only the given fields, at least one. */
  change(id: string, patch: Patch<NewNote>): Promise<Note>;
  /** Returns the deleted record. */
  remove(id: string): Promise<Note>;
}

export const noteFields = z.strictObject({
  title: z.string().trim().min(1).max(120),
  content: z.string().trim().min(1).max(8_000),
  format: z.enum(['markdown', 'text']).nullish(),
});

interface Stored {
  title: string;
  content: string;
  chosenFormat: NoteFormat | null;
}

export function createNotes(needs: Pick<RecordTableNeeds<Stored>, 'ambient' | 'store'>): Notes {
  const table = createRecordTable<Stored>({
    ...needs,
    name: 'notes',
    text: 'content',
    columns: { title: 'title', content: 'content', chosenFormat: 'chosen_format' },
  });
  return {
    list: (options) => table.list(options).map(noteOf),
    read: (id) => noteOf(present(table.read(id), 'NOTE_NOT_FOUND')),
    async create(note, origin) {
      const { format = null, ...rest } = checked(noteFields, note, 'NOTE_INVALID');
      return noteOf((await table.insert({ ...rest, chosenFormat: format }, origin)).record);
    },
    async change(id, patch) {
      const { format, ...rest } = checkedPatch(noteFields.partial(), patch, 'NOTE_INVALID');
      const changed = await table.update(id, { ...rest, ...(format !== undefined && { chosenFormat: format }) });
      return noteOf(present(changed, 'NOTE_NOT_FOUND'));
    },
    remove: async (id) => noteOf(present(await table.remove(id), 'NOTE_NOT_FOUND')),
  };
}

function noteOf({ chosenFormat, ...record }: Stored & LibraryRecord): Note {
  return { ...record, format: chosenFormat ?? detectNoteFormat(record.content) };
}
