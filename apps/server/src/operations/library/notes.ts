import type { Note } from '@fucina/host';
import * as z from 'zod';
import { renamed } from '../../http/renamed.ts';
import { noteAnswer, notes } from '../../wire/notes-tasks-memories.ts';
import { allRefusedAs, noteFormat } from '../../wire/record-fields.ts';
import { recordOperations } from './record-operations.ts';
import { inSession, type RecordScope, withoutSession } from './record-scope.ts';

const title = z.string().trim().min(1).max(120);
const content = z.string().trim().min(1).max(8_000);
const format = noteFormat.nullable().optional();
const names = { titolo: 'title', contenuto: 'content', formato: 'format' } as const;

const noteOperations = (place: RecordScope) =>
  recordOperations(
    {
      name: 'notes',
      collection: 'notes',
      idParam: 'noteId',
      summaries: {
        list: 'Notes, newest first',
        create: 'Write a note',
        read: 'A note',
        change: 'Change a note',
        remove: 'Delete a note',
      },
      invalid: 'NOTE_INVALID',
      absent: 'NOTE_NOT_FOUND',
      refusals: allRefusedAs('NOTE_INVALID', 'titolo', 'contenuto', 'formato', 'noteId'),
      bodyLimit: 64 * 1024,
      newRecord: renamed(z.strictObject({ titolo: title, contenuto: content, formato: format }), names),
      changes: renamed(
        z.strictObject({ titolo: title.optional(), contenuto: content.optional(), formato: format }),
        names,
      ),
      listAnswer: notes,
      answer: noteAnswer,
      madeAnswer: noteAnswer,
      records: ({ notes: kept }) => ({ ...kept, create: (note) => kept.create(note, 'person') }),
      idOf: ({ id }: Note) => id,
    },
    place,
  );

export const {
  list: listNotes,
  create: createNote,
  read: readNote,
  change: changeNote,
  remove: deleteNote,
} = noteOperations(withoutSession);

export const {
  list: listSessionNotes,
  create: createSessionNote,
  read: readSessionNote,
  change: changeSessionNote,
  remove: deleteSessionNote,
} = noteOperations(inSession);
