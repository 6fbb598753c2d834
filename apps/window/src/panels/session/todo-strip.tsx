import '../../styles/rows.css';
import type { TodoEntry } from '@fucina/conversation';
import { CheckSquare, Circle, CircleDot, ListTodo } from 'lucide-react';
import { Fold } from '../../parts/box.tsx';
import { useWords } from '../../words/words.ts';

const MARKS = { pending: Circle, in_progress: CircleDot, completed: CheckSquare } as const;

/** The agent's to-do list, shown while it has open items. */
export function TodoStrip({ todo }: { todo: readonly TodoEntry[] }) {
  const { say } = useWords();
  const done = todo.filter(({ status }) => status === 'completed').length;
  const now = todo.find(({ status }) => status === 'in_progress') ?? todo.find(({ status }) => status === 'pending');
  return (
    <section className="todo" aria-label={say('todo.title')}>
      <Fold
        head={
          <>
            <ListTodo size={14} className="muted" aria-hidden />
            <span className="tabular muted">{say('todo.progress', { done, all: todo.length })}</span>
            <span className="todo-now">{now?.content}</span>
          </>
        }
      >
        {() => (
          <ol>
            {todo.map(({ content, status }, at) => {
              const Mark = MARKS[status];
              return (
                <li key={`${at} ${content}`} className="todo-row" data-status={status}>
                  <Mark
                    size={14}
                    className={status === 'in_progress' ? 'accent' : 'muted'}
                    aria-label={say(`todo.${status}`)}
                  />
                  <span>{content}</span>
                </li>
              );
            })}
          </ol>
        )}
      </Fold>
    </section>
  );
}
