import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionId } from '../../wire/common.ts';
import { newNote, noteAnswer, noteChanges, noteRefusals, notes } from '../../wire/notes-tasks-memories.ts';
import { deletedRecord, listQuery, recordId } from '../../wire/record-fields.ts';
import { inSession, libraryOf, tag } from './record-scope.ts';

const bodyLimit = 64 * 1024;
const errors = ['NOTE_NOT_FOUND', 'NOTE_INVALID'] as const;
const one = renamed(z.strictObject({ noteId: recordId }), { noteId: 'id' });
const oneInSession = renamed(z.strictObject({ sessionId, noteId: recordId }), { noteId: 'id' });

const list = {
  tag,
  refusals: noteRefusals,
  summary: 'Notes, newest first',
  method: 'GET',
  query: listQuery,
  answer: json(notes),
} as const;

export const listNotes = operation({
  ...list,
  id: 'notes.list',
  path: '/me/notes',
  handle: async ({ query, services: { library }, language }) => ({
    records: await library.orNull(() => library.notes.list(query)),
    language,
  }),
});

export const listSessionNotes = operation({
  ...list,
  id: 'session-notes.list',
  path: '/sessions/{sessionId}/notes',
  params: inSession,
  async handle({ params, query, services, language }) {
    const library = await libraryOf(params, services);
    return { records: await library.orNull(() => library.notes.list(query)), language };
  },
});

const create = {
  tag,
  refusals: noteRefusals,
  bodyLimit,
  summary: 'Write a note',
  method: 'POST',
  body: newNote,
  answer: json(noteAnswer),
  errors: ['NOTE_INVALID'],
} as const;

export const createNote = operation({
  ...create,
  id: 'notes.create',
  path: '/me/notes',
  location: ({ id }) => `/me/notes/${id}`,
  handle: ({ body, services }) => services.library.notes.create(body, 'person'),
});

export const createSessionNote = operation({
  ...create,
  id: 'session-notes.create',
  path: '/sessions/{sessionId}/notes',
  params: inSession,
  location: ({ id }, { sessionId: session }) => `/sessions/${encodeURIComponent(session)}/notes/${id}`,
  handle: async ({ params, body, services }) => (await libraryOf(params, services)).notes.create(body, 'person'),
});

const read = {
  tag,
  refusals: noteRefusals,
  errors,
  summary: 'A note',
  method: 'GET',
  answer: json(noteAnswer),
} as const;

export const readNote = operation({
  ...read,
  id: 'notes.read',
  path: '/me/notes/{noteId}',
  params: one,
  handle: ({ params, services }) => services.library.notes.read(params.id),
});

export const readSessionNote = operation({
  ...read,
  id: 'session-notes.read',
  path: '/sessions/{sessionId}/notes/{noteId}',
  params: oneInSession,
  handle: async ({ params, services }) => (await libraryOf(params, services)).notes.read(params.id),
});

const change = {
  tag,
  refusals: noteRefusals,
  bodyLimit,
  errors,
  summary: 'Change a note',
  method: 'PATCH',
  body: noteChanges,
  answer: json(noteAnswer),
} as const;

export const changeNote = operation({
  ...change,
  id: 'notes.change',
  path: '/me/notes/{noteId}',
  params: one,
  handle: ({ params, body, services }) => services.library.notes.change(params.id, body),
});

export const changeSessionNote = operation({
  ...change,
  id: 'session-notes.change',
  path: '/sessions/{sessionId}/notes/{noteId}',
  params: oneInSession,
  handle: async ({ params, body, services }) => (await libraryOf(params, services)).notes.change(params.id, body),
});

const remove = {
  tag,
  refusals: noteRefusals,
  errors,
  makesRoom: true,
  summary: 'Delete a note',
  method: 'DELETE',
  answer: json(deletedRecord),
} as const;

export const deleteNote = operation({
  ...remove,
  id: 'notes.delete',
  path: '/me/notes/{noteId}',
  params: one,
  handle: ({ params, services }) => services.library.notes.remove(params.id),
});

export const deleteSessionNote = operation({
  ...remove,
  id: 'session-notes.delete',
  path: '/sessions/{sessionId}/notes/{noteId}',
  params: oneInSession,
  handle: async ({ params, services }) => (await libraryOf(params, services)).notes.remove(params.id),
});
