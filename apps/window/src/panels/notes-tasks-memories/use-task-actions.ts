import { useMutation, useQueryClient } from '@tanstack/react-query';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  changeTask,
  createTask,
  deleteTasks,
  refreshRecords,
  setTaskStatus,
  type Task,
  type TaskFields,
  type TaskStatus,
} from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';

export interface TaskActions {
  add(title: string, state: TaskStatus): Promise<unknown>;
  move(task: Task, state: TaskStatus): void;
  change(task: Task, fields: Partial<TaskFields>): Promise<unknown>;
  /** Several at once, each separately. */
  remove(tasks: readonly Task[]): Promise<unknown>;
  restore(tasks: readonly Task[]): Promise<unknown>;
}

type Rows = { rows: Task[]; isCut: boolean };
const MOST_AT_ONCE = 250;

/** Optimistic update; reverted, with an error, when the server refuses. */
export function useTaskActions(): TaskActions {
  const { say } = useWords();
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    async mutationFn({ act }: { act: () => Promise<unknown>; show?: (rows: Task[]) => Task[] }) {
      return act();
    },
    async onMutate({ show }) {
      if (!show) return undefined;
      await client.cancelQueries({ queryKey: ['records', 'tasks'] });
      const before = client.getQueriesData<Rows>({ queryKey: ['records', 'tasks'] });
      client.setQueriesData<Rows>(
        { queryKey: ['records', 'tasks'] },
        (data) => data && { ...data, rows: show(data.rows) },
      );
      return before;
    },
    onError(error, _act, before) {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
      openOverlay({ kind: 'failure', title: say('records.notDone'), error });
    },
    onSettled: () => refreshRecords(client, 'tasks'),
  });
  const shownAs = (task: Task, fields: Partial<Task>) => (rows: Task[]) =>
    rows.map((row) => (row.id === task.id ? { ...row, ...fields } : row));

  return {
    add: (title, state) =>
      mutateAsync({
        act: async () => {
          const { id } = await createTask({ title });
          if (state !== 'todo') await setTaskStatus(id, state);
        },
      }),
    move: (task, state) => {
      const show = shownAs(task, { state });
      // The error was already shown.
      mutateAsync({ act: () => setTaskStatus(task.id, state), show }).catch(() => undefined);
    },
    change: (task, fields) => mutateAsync({ act: () => changeTask(task.id, fields), show: shownAs(task, fields) }),
    remove: (tasks) => {
      const ids = tasks.map(({ id }) => id);
      const gone = new Set(ids);
      return mutateAsync({
        show: (rows) => rows.filter(({ id }) => !gone.has(id)),
        async act() {
          for (let at = 0; at < ids.length; at += MOST_AT_ONCE) await deleteTasks(ids.slice(at, at + MOST_AT_ONCE));
        },
      });
    },
    restore: (tasks) =>
      mutateAsync({
        async act() {
          for (const { title, description, priority, state } of tasks.toReversed()) {
            const { id } = await createTask({ title, description, priority });
            if (state !== 'todo') await setTaskStatus(id, state);
          }
        },
      }),
  };
}
