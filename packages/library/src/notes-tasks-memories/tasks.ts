import * as z from 'zod';
import { checked, checkedPatch, present } from '../errors.ts';
import {
  createRecordTable,
  type LibraryRecord,
  type ListOptions,
  type Origin,
  type RecordTableNeeds,
} from './record-table.ts';

export const TASK_PRIORITIES = ['low', 'normal', 'high'] as const;
export const TASK_STATUSES = ['todo', 'doing', 'done'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface Task extends LibraryRecord {
  description: string | null;
  priority: TaskPriority;
  status: TaskStatus;
}

export interface NewTask {
  /** 1 to 200 characters once trimmed. */
  title: string;
  /** Up to 2,000 characters; blank is null. */
  description?: string | null | undefined;
  /** Default: normal. */
  priority?: TaskPriority | undefined;
}

/** Throws TASK_INVALID for invalid fields, TASK_NOT_FOUND for an unknown id. */
export interface Tasks {
  /** `open`: todo and doing. */
  list(options?: ListOptions & { status?: TaskStatus | 'open' | undefined }): Task[];
  read(id: string): Task;
  create(task: NewTask, origin: Origin): Promise<Task>;
  /** Changes only the given fields, at least one; never the state. */
  change(id: string, patch: { [Key in keyof NewTask]?: NewTask[Key] | undefined }): Promise<Task>;
  setStatus(id: string, status: TaskStatus): Promise<Task>;
  /** Returns the deleted record. */
  remove(id: string): Promise<Task>;
}

export const taskFields = z.strictObject({
  title: z.string().trim().min(1).max(200),
  description: z
    .string()
    .trim()
    .max(2_000)
    .nullable()
    .transform((text) => text || null)
    .optional(),
  priority: z.enum(TASK_PRIORITIES).optional(),
});

type Stored = Pick<Task, 'title' | 'description' | 'priority' | 'status'>;

export function createTasks(needs: Pick<RecordTableNeeds<Stored>, 'ambient' | 'store'>): Tasks {
  const table = createRecordTable<Stored>({
    ...needs,
    name: 'tasks',
    text: 'description',
    columns: { title: 'title', description: 'description', priority: 'priority', status: 'status' },
  });
  return {
    list: ({ status, ...options } = {}) => table.list({ ...options, where: status && condition(status) }),
    read: (id) => present(table.read(id), 'TASK_NOT_FOUND'),
    async create(task, origin) {
      const { title, description = null, priority = 'normal' } = checked(taskFields, task, 'TASK_INVALID');
      return (await table.insert({ title, description, priority, status: 'todo' }, origin)).record;
    },
    async change(id, patch) {
      const given = checkedPatch(taskFields.partial(), patch, 'TASK_INVALID') as Partial<Stored>;
      return present(await table.update(id, given), 'TASK_NOT_FOUND');
    },
    async setStatus(id, status) {
      const given = checked(z.enum(TASK_STATUSES), status, 'TASK_INVALID');
      return present(await table.update(id, { status: given }), 'TASK_NOT_FOUND');
    },
    remove: async (id) => present(await table.remove(id), 'TASK_NOT_FOUND'),
  };
}

function condition(status: TaskStatus | 'open') {
  return status === 'open' ? { sql: 'status != ?', values: ['done'] } : { sql: 'status = ?', values: [status] };
}
