import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionId } from '../../wire/common.ts';
import {
  madeMemory,
  memories,
  memoryAnswer,
  memoryChanges,
  memoryRefusals,
  newMemory,
} from '../../wire/notes-tasks-memories.ts';
import { deletedRecord, listQuery, recordId } from '../../wire/record-fields.ts';
import { inSession, libraryOf, tag } from './record-scope.ts';

const bodyLimit = 16 * 1024;
const errors = ['MEMORY_NOT_FOUND', 'MEMORY_INVALID'] as const;
const one = renamed(z.strictObject({ memoryId: recordId }), { memoryId: 'id' });
const oneInSession = renamed(z.strictObject({ sessionId, memoryId: recordId }), { memoryId: 'id' });

const list = {
  tag,
  refusals: memoryRefusals,
  summary: 'Memories, newest first',
  method: 'GET',
  query: listQuery,
  answer: json(memories),
} as const;

export const listMemories = operation({
  ...list,
  id: 'memories.list',
  path: '/me/memory',
  handle: async ({ query, services: { library }, language }) => ({
    records: await library.orNull(() => library.memories.list(query)),
    language,
  }),
});

export const listSessionMemories = operation({
  ...list,
  id: 'session-memories.list',
  path: '/sessions/{sessionId}/memory',
  params: inSession,
  async handle({ params, query, services, language }) {
    const library = await libraryOf(params, services);
    return { records: await library.orNull(() => library.memories.list(query)), language };
  },
});

const create = {
  tag,
  refusals: memoryRefusals,
  bodyLimit,
  summary: 'Keep something for later',
  method: 'POST',
  body: newMemory,
  answer: json(madeMemory),
  errors: ['MEMORY_INVALID'],
} as const;

export const createMemory = operation({
  ...create,
  id: 'memories.create',
  path: '/me/memory',
  location: ({ memory }) => `/me/memory/${memory.id}`,
  handle: ({ body, services }) => services.library.memories.create(body, 'person'),
});

export const createSessionMemory = operation({
  ...create,
  id: 'session-memories.create',
  path: '/sessions/{sessionId}/memory',
  params: inSession,
  location: ({ memory }, { sessionId: session }) => `/sessions/${encodeURIComponent(session)}/memory/${memory.id}`,
  handle: async ({ params, body, services }) => (await libraryOf(params, services)).memories.create(body, 'person'),
});

const read = {
  tag,
  refusals: memoryRefusals,
  errors,
  summary: 'A memory',
  method: 'GET',
  answer: json(memoryAnswer),
} as const;

export const readMemory = operation({
  ...read,
  id: 'memories.read',
  path: '/me/memory/{memoryId}',
  params: one,
  handle: ({ params, services }) => services.library.memories.read(params.id),
});

export const readSessionMemory = operation({
  ...read,
  id: 'session-memories.read',
  path: '/sessions/{sessionId}/memory/{memoryId}',
  params: oneInSession,
  handle: async ({ params, services }) => (await libraryOf(params, services)).memories.read(params.id),
});

const change = {
  tag,
  refusals: memoryRefusals,
  bodyLimit,
  errors,
  summary: 'Change a memory',
  method: 'PATCH',
  body: memoryChanges,
  answer: json(memoryAnswer),
} as const;

export const changeMemory = operation({
  ...change,
  id: 'memories.change',
  path: '/me/memory/{memoryId}',
  params: one,
  handle: ({ params, body, services }) => services.library.memories.change(params.id, body),
});

export const changeSessionMemory = operation({
  ...change,
  id: 'session-memories.change',
  path: '/sessions/{sessionId}/memory/{memoryId}',
  params: oneInSession,
  handle: async ({ params, body, services }) => (await libraryOf(params, services)).memories.change(params.id, body),
});

const remove = {
  tag,
  refusals: memoryRefusals,
  errors,
  makesRoom: true,
  summary: 'Delete a memory',
  method: 'DELETE',
  answer: json(deletedRecord),
} as const;

export const deleteMemory = operation({
  ...remove,
  id: 'memories.delete',
  path: '/me/memory/{memoryId}',
  params: one,
  handle: ({ params, services }) => services.library.memories.remove(params.id),
});

export const deleteSessionMemory = operation({
  ...remove,
  id: 'session-memories.delete',
  path: '/sessions/{sessionId}/memory/{memoryId}',
  params: oneInSession,
  handle: async ({ params, services }) => (await libraryOf(params, services)).memories.remove(params.id),
});
