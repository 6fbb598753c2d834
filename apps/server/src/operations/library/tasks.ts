import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionId } from '../../wire/common.ts';
import {
  newTask,
  taskAnswer,
  taskChanges,
  taskRefusals,
  taskStatusChange,
  tasks,
} from '../../wire/notes-tasks-memories.ts';
import { deletedRecord, listQuery, recordId } from '../../wire/record-fields.ts';
import { inSession, libraryOf, tag } from './record-scope.ts';

const bodyLimit = 16 * 1024;
const errors = ['TASK_NOT_FOUND', 'TASK_INVALID'] as const;
const one = renamed(z.strictObject({ taskId: recordId }), { taskId: 'id' });
const oneInSession = renamed(z.strictObject({ sessionId, taskId: recordId }), { taskId: 'id' });

const list = {
  tag,
  refusals: taskRefusals,
  summary: 'Tasks, newest first',
  method: 'GET',
  query: listQuery,
  answer: json(tasks),
} as const;

export const listTasks = operation({
  ...list,
  id: 'tasks.list',
  path: '/me/tasks',
  handle: async ({ query, services: { library }, language }) => ({
    records: await library.orNull(() => library.tasks.list(query)),
    language,
  }),
});

export const listSessionTasks = operation({
  ...list,
  id: 'session-tasks.list',
  path: '/sessions/{sessionId}/tasks',
  params: inSession,
  async handle({ params, query, services, language }) {
    const library = await libraryOf(params, services);
    return { records: await library.orNull(() => library.tasks.list(query)), language };
  },
});

const create = {
  tag,
  refusals: taskRefusals,
  bodyLimit,
  summary: 'Add a task',
  method: 'POST',
  body: newTask,
  answer: json(taskAnswer),
  errors: ['TASK_INVALID'],
} as const;

export const createTask = operation({
  ...create,
  id: 'tasks.create',
  path: '/me/tasks',
  location: ({ id }) => `/me/tasks/${id}`,
  handle: ({ body, services }) => services.library.tasks.create(body, 'person'),
});

export const createSessionTask = operation({
  ...create,
  id: 'session-tasks.create',
  path: '/sessions/{sessionId}/tasks',
  params: inSession,
  location: ({ id }, { sessionId: session }) => `/sessions/${encodeURIComponent(session)}/tasks/${id}`,
  handle: async ({ params, body, services }) => (await libraryOf(params, services)).tasks.create(body, 'person'),
});

const read = {
  tag,
  refusals: taskRefusals,
  errors,
  summary: 'A task',
  method: 'GET',
  answer: json(taskAnswer),
} as const;

export const readTask = operation({
  ...read,
  id: 'tasks.read',
  path: '/me/tasks/{taskId}',
  params: one,
  handle: ({ params, services }) => services.library.tasks.read(params.id),
});

export const readSessionTask = operation({
  ...read,
  id: 'session-tasks.read',
  path: '/sessions/{sessionId}/tasks/{taskId}',
  params: oneInSession,
  handle: async ({ params, services }) => (await libraryOf(params, services)).tasks.read(params.id),
});

const change = {
  tag,
  refusals: taskRefusals,
  bodyLimit,
  errors,
  summary: 'Change a task, but for its state',
  method: 'PATCH',
  body: taskChanges,
  answer: json(taskAnswer),
} as const;

export const changeTask = operation({
  ...change,
  id: 'tasks.change',
  path: '/me/tasks/{taskId}',
  params: one,
  handle: ({ params, body, services }) => services.library.tasks.change(params.id, body),
});

export const changeSessionTask = operation({
  ...change,
  id: 'session-tasks.change',
  path: '/sessions/{sessionId}/tasks/{taskId}',
  params: oneInSession,
  handle: async ({ params, body, services }) => (await libraryOf(params, services)).tasks.change(params.id, body),
});

const remove = {
  tag,
  refusals: taskRefusals,
  errors,
  makesRoom: true,
  summary: 'Delete a task',
  method: 'DELETE',
  answer: json(deletedRecord),
} as const;

export const deleteTask = operation({
  ...remove,
  id: 'tasks.delete',
  path: '/me/tasks/{taskId}',
  params: one,
  handle: ({ params, services }) => services.library.tasks.remove(params.id),
});

export const deleteSessionTask = operation({
  ...remove,
  id: 'session-tasks.delete',
  path: '/sessions/{sessionId}/tasks/{taskId}',
  params: oneInSession,
  handle: async ({ params, services }) => (await libraryOf(params, services)).tasks.remove(params.id),
});

const setStatus = {
  tag,
  refusals: taskRefusals,
  bodyLimit,
  errors,
  summary: 'Set the state of a task',
  method: 'POST',
  body: taskStatusChange,
  answer: json(taskAnswer),
} as const;

export const setTaskStatus = operation({
  ...setStatus,
  id: 'tasks.set-status',
  path: '/me/tasks/{taskId}/stato',
  params: one,
  handle: ({ params, body, services }) => services.library.tasks.setStatus(params.id, body.status),
});

export const setSessionTaskStatus = operation({
  ...setStatus,
  id: 'session-tasks.set-status',
  path: '/sessions/{sessionId}/tasks/{taskId}/stato',
  params: oneInSession,
  handle: async ({ params, body, services }) =>
    (await libraryOf(params, services)).tasks.setStatus(params.id, body.status),
});
