import type { Tool } from '@fucina/shared';
import * as z from 'zod';
import { TASK_PRIORITIES, TASK_STATUSES, type Tasks, taskFields } from '../notes-tasks-memories/tasks.ts';
import { asToolResult, listResult, receipt, recordLine } from './receipt.ts';

const { title } = taskFields.shape;
const description = z.string().max(2_000);
const priority = z.enum(TASK_PRIORITIES);
const id = z.string().min(1).max(200);
const list = z.strictObject({
  status: z.enum(['all', 'open', 'done']).optional().describe('default all'),
  limit: z.int().min(1).max(50).optional().describe('default 20'),
});
const create = z.strictObject({ title, description: description.optional(), priority: priority.optional() });
const complete = z.strictObject({ id, status: z.enum(TASK_STATUSES).optional().describe('default done') });
const update = z.strictObject({
  id,
  title: title.optional(),
  description: description.optional().describe('an empty text clears it'),
  priority: priority.optional(),
});
const remove = z.strictObject({ id });

export function taskTools(tasks: Tasks): readonly Tool[] {
  const listTool: Tool<z.infer<typeof list>> = {
    name: 'tasks_list',
    description:
      "List the user's tasks across all projects, newest first. Not your to-do list of this work (todo_write).",
    category: 'extended',
    effect: 'read',
    gate: null,
    input: list,
    action: () => ({ tipo: 'tasks_list' }),
    async run({ status = 'all', limit = 20 }) {
      const found = tasks.list({ limit: limit + 1, status: status === 'all' ? undefined : status });
      const lines = found.map((task) => recordLine(task, `${task.status}, ${task.priority}`, task.description));
      return listResult(lines, limit, 'There are no such tasks.');
    },
  };
  const createTool: Tool<z.infer<typeof create>> = {
    name: 'tasks_create',
    description: "Add a task to the user's own list. Only when they asked for it.",
    category: 'extended',
    effect: 'record',
    gate: null,
    input: create,
    action: (input) => ({ tipo: 'tasks_create', titolo: input.title }),
    run: (input) => asToolResult(async () => receipt('Task created', await tasks.create(input, 'model'))),
  };
  const completeTool: Tool<z.infer<typeof complete>> = {
    name: 'tasks_complete',
    description: 'Set the status of a task: done unless you pass todo or doing.',
    category: 'extended',
    effect: 'record',
    gate: null,
    input: complete,
    action: (input) => ({ tipo: 'tasks_complete', id: input.id }),
    run: ({ id: taskId, status = 'done' }) =>
      asToolResult(async () => receipt(`Task now ${status}`, await tasks.setStatus(taskId, status))),
  };
  const updateTool: Tool<z.infer<typeof update>> = {
    name: 'tasks_update',
    description:
      'Change title, description or priority of a task; omitted fields stay unchanged. For its status use tasks_complete.',
    category: 'extended',
    effect: 'record',
    gate: null,
    input: update,
    action: (input) => ({ tipo: 'tasks_update', id: input.id }),
    run: ({ id: taskId, ...patch }) =>
      asToolResult(async () => receipt('Task changed', await tasks.change(taskId, patch))),
  };
  const deleteTool: Tool<z.infer<typeof remove>> = {
    name: 'tasks_delete',
    description: 'Permanently delete a task. Only when the user asked for it.',
    category: 'extended',
    effect: 'record',
    gate: null,
    input: remove,
    action: (input) => ({ tipo: 'tasks_delete', id: input.id }),
    run: (input) => asToolResult(async () => receipt('Task deleted', await tasks.remove(input.id))),
  };
  return [listTool, createTool, completeTool, updateTool, deleteTool];
}
