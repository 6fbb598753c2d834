import type { Task } from '@fucina/host';
import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { taskAnswer, tasks } from '../../wire/notes-tasks-memories.ts';
import { allRefusedAs, priority, taskStatus } from '../../wire/record-fields.ts';
import { recordOperations } from './record-operations.ts';
import { inSession, type RecordScope, tag, withoutSession } from './record-scope.ts';

const title = z.string().trim().min(1).max(200);
const optional = {
  descrizione: z.string().trim().max(2_000).nullable().optional(),
  priorita: priority.optional(),
};
const names = { titolo: 'title', descrizione: 'description', priorita: 'priority' } as const;
const refusals = allRefusedAs('TASK_INVALID', 'titolo', 'descrizione', 'priorita', 'stato', 'taskId');
const bodyLimit = 16 * 1024;

const taskOperations = (place: RecordScope) =>
  recordOperations(
    {
      name: 'tasks',
      collection: 'tasks',
      idParam: 'taskId',
      summaries: {
        list: 'Tasks, newest first',
        create: 'Add a task',
        read: 'A task',
        change: 'Change a task, but for its state',
        remove: 'Delete a task',
      },
      invalid: 'TASK_INVALID',
      absent: 'TASK_NOT_FOUND',
      refusals,
      bodyLimit,
      newRecord: renamed(z.strictObject({ titolo: title, ...optional }), names),
      changes: renamed(z.strictObject({ titolo: title.optional(), ...optional }), names),
      listAnswer: tasks,
      answer: taskAnswer,
      madeAnswer: taskAnswer,
      records: ({ tasks: kept }) => ({ ...kept, create: (task) => kept.create(task, 'person') }),
      idOf: ({ id }: Task) => id,
    },
    place,
  );

const settingStatus = (place: RecordScope) =>
  operation({
    tag,
    refusals,
    id: `${place.prefix}tasks.set-status`,
    summary: 'Set the state of a task',
    method: 'POST',
    path: `${place.path}/tasks/{taskId}/stato`,
    params: place.paramsOf('taskId'),
    body: renamed(z.strictObject({ stato: taskStatus }), { stato: 'status' }),
    bodyLimit,
    answer: json(taskAnswer),
    errors: ['TASK_NOT_FOUND', 'TASK_INVALID'],
    handle: async ({ params, body, services }) =>
      (await place.enter(services, params)).tasks.setStatus(params.id, body.status),
  });

export const {
  list: listTasks,
  create: createTask,
  read: readTask,
  change: changeTask,
  remove: deleteTask,
} = taskOperations(withoutSession);
export const setTaskStatus = settingStatus(withoutSession);

export const {
  list: listSessionTasks,
  create: createSessionTask,
  read: readSessionTask,
  change: changeSessionTask,
  remove: deleteSessionTask,
} = taskOperations(inSession);
export const setSessionTaskStatus = settingStatus(inSession);
