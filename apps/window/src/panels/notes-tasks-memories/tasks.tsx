import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readStored, writeStored } from '../../ambient.ts';
import { Answer } from '../../parts/states.tsx';
import { useDeletedNotice } from '../../parts/use-deleted-notice.tsx';
import { PAGE, TASK_STATUSES, type Task, tasksQuery } from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';
import { TaskColumn } from './task-column.tsx';
import { TaskEditor } from './task-editor.tsx';
import { useTaskActions } from './use-task-actions.ts';

const WAYS = ['board', 'list'] as const;
type Way = (typeof WAYS)[number];
const isWay = (value: unknown): value is Way => WAYS.some((way) => way === value);

/** To do, doing and done, side by side or below each other. */
export function Tasks({ text }: { text: string }) {
  const { say } = useWords();
  const [way, setWay] = useState<Way>(() => readStored('tasks', isWay) ?? 'board');
  const [most, setMost] = useState(PAGE);
  const [openId, setOpenId] = useState<string>();
  const [movedId, setMovedId] = useState<string>();
  const query = useQuery(tasksQuery({ text, most }));
  const acts = useTaskActions();
  const { line, tell } = useDeletedNotice();
  const remove = (tasks: readonly Task[]) => {
    setOpenId(undefined);
    const notify = () =>
      tell({
        text: say('records.tasks.removed', { count: tasks.length }),
        undo: () => acts.restore(tasks),
      });
    // The error was already shown.
    acts.remove(tasks).then(notify, () => undefined);
  };
  const choose = (next: Way) => {
    setWay(next);
    writeStored('tasks', next);
  };
  const open = query.data?.rows.find(({ id }) => id === openId);
  return (
    <div className="tasks">
      <div className="choice" role="group" aria-label={say('records.tasks.way')}>
        {WAYS.map((name) => (
          <button key={name} type="button" aria-pressed={name === way} onClick={() => choose(name)}>
            {say(`records.tasks.${name}`)}
          </button>
        ))}
      </div>
      <Answer query={query} lines={8}>
        {({ rows, isCut }) => (
          <>
            <div className="task-columns" data-way={way}>
              {TASK_STATUSES.map((status) => (
                <TaskColumn
                  key={status}
                  status={status}
                  tasks={rows.filter(({ state }) => state === status)}
                  allTasks={rows}
                  isSearch={text.trim() !== ''}
                  acts={acts}
                  movedId={movedId}
                  move={(task, next) => {
                    setMovedId(task.id);
                    acts.move(task, next);
                  }}
                  open={setOpenId}
                  remove={remove}
                />
              ))}
            </div>
            {isCut && (
              <button type="button" className="nav-more" onClick={() => setMost(most + PAGE)}>
                {say('records.more')}
              </button>
            )}
          </>
        )}
      </Answer>
      {open && (
        <TaskEditor
          key={open.id}
          task={open}
          acts={acts}
          remove={() => remove([open])}
          close={() => setOpenId(undefined)}
        />
      )}
      {line}
    </div>
  );
}
