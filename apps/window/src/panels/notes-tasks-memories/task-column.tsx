import { ChevronsDown, ChevronsUp, Trash2 } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { TASK_STATUSES, type Task, type TaskStatus } from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField } from './field.tsx';
import type { TaskActions } from './use-task-actions.ts';

const DRAGGED = 'application/x-fucina-task';

interface TaskCardProps {
  task: Task;
  /** It was just moved with the keyboard: it keeps the focus. */
  isMoved: boolean;
  move: (status: TaskStatus) => void;
  open: () => void;
}

function TaskCard({ task, isMoved, move, open }: TaskCardProps) {
  const { say } = useWords();
  const at = TASK_STATUSES.indexOf(task.state);
  const press = (event: KeyboardEvent) => {
    const step = event.altKey ? { ArrowRight: 1, ArrowLeft: -1 }[event.key] : undefined;
    const next = step === undefined ? undefined : TASK_STATUSES[at + step];
    if (!next) return;
    event.preventDefault();
    move(next);
  };
  return (
    <li
      className="task"
      draggable
      data-done={task.state === 'done' || undefined}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, task.id)}
    >
      <input
        type="checkbox"
        aria-label={say('records.tasks.isDone', { name: task.title })}
        checked={task.state === 'done'}
        onChange={(event) => move(event.currentTarget.checked ? 'done' : 'todo')}
      />
      <button
        type="button"
        className="task-body"
        autoFocus={isMoved}
        onClick={open}
        onKeyDown={press}
        aria-keyshortcuts="Alt+ArrowRight Alt+ArrowLeft"
      >
        <span className="task-title">{task.title}</span>
        {task.description && <span className="task-text muted small">{task.description}</span>}
      </button>
      {task.priority !== 'normal' && (
        <span className="task-weight small" data-weight={task.priority}>
          {task.priority === 'high' ? <ChevronsUp size={14} aria-hidden /> : <ChevronsDown size={14} aria-hidden />}
          {say(`records.priority.${task.priority}`)}
        </span>
      )}
      <ChoiceField
        className="chip"
        label={say('records.tasks.stateOf', { name: task.title })}
        value={task.state}
        values={TASK_STATUSES}
        nameOf={(status) => say(`records.status.${status}`)}
        pick={move}
      />
    </li>
  );
}

interface TaskColumnProps {
  status: TaskStatus;
  tasks: readonly Task[];
  /** Tasks of all columns, because one of another column may be dropped here. */
  allTasks: readonly Task[];
  isSearch: boolean;
  acts: TaskActions;
  movedId: string | undefined;
  move: (task: Task, status: TaskStatus) => void;
  open: (id: string) => void;
  remove: (tasks: readonly Task[]) => void;
}

export function TaskColumn({ status, tasks, allTasks, isSearch, acts, movedId, move, open, remove }: TaskColumnProps) {
  const { say, number } = useWords();
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    setIsOver(false);
    const task = allTasks.find(({ id }) => id === event.dataTransfer.getData(DRAGGED));
    if (task && task.state !== status) move(task, status);
  };
  const name = say(`records.status.${status}`);
  return (
    <section
      className="task-column"
      aria-label={name}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <header className="task-column-head">
        <h2>
          {name} <span className="count tabular">{number(tasks.length)}</span>
        </h2>
        {status === 'done' && tasks.length > 0 && (
          <button type="button" className="text-button" onClick={() => remove(tasks)}>
            <Trash2 size={12} aria-hidden /> {say('records.tasks.clear')}
          </button>
        )}
      </header>
      {!isSearch && <NewTask label={say('records.tasks.add', { name })} add={(title) => acts.add(title, status)} />}
      {tasks.length === 0 ? (
        <p className="muted small records-none">{say(isSearch ? 'records.nothing' : `records.tasks.none.${status}`)}</p>
      ) : (
        <ul className="task-list">
          {tasks.map((task) => (
            <TaskCard
              key={task.id}
              task={task}
              isMoved={task.id === movedId}
              move={(next) => move(task, next)}
              open={() => open(task.id)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Enter adds; text that could not be added stays in the field. */
function NewTask({ label, add }: { label: string; add: (title: string) => Promise<unknown> }) {
  const [title, setTitle] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const text = title.trim();
        if (!text) return;
        setTitle('');
        add(text).catch(() => setTitle((later) => later || text));
      }}
    >
      <input
        className="input"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
    </form>
  );
}
