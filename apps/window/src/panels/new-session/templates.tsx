import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Fold } from '../../parts/box.tsx';
import { Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import type { TaskTemplate } from '../../wire/records.ts';
import { templatesQuery } from '../../wire/templates.ts';
import { useWords } from '../../words/words.ts';
import { type Choices, settingsOf } from './choices.ts';

interface TemplatesProps {
  /** They apply to sample projects, too. */
  choices: Choices;
  /** Called before the session is shown. */
  onStarted?: () => void;
}

function TaskList({ tasks, choices, onStarted }: TemplatesProps & { tasks: readonly TaskTemplate[] }) {
  const { language } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: (taskId: string) => api.post('/sessions', { body: { taskId, ...settingsOf(choices, language) } }),
    onSuccess: async ({ sessionId }) => {
      onStarted?.();
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await navigate(`/sessions/${sessionId}`);
    },
  });
  return (
    <>
      <ul className="templates">
        {tasks.map(({ id, project, difficulty, shortMessage }) => (
          <li key={id}>
            <button type="button" className="template" disabled={start.isPending} onClick={() => start.mutate(id)}>
              <span className="level-name">
                {project} <span className="tag muted">{difficulty}</span>
              </span>
              <span className="level-why">{shortMessage}</span>
            </button>
          </li>
        ))}
      </ul>
      {start.error && <Failure error={start.error} />}
    </>
  );
}

/** Sample projects, each in a private copy. A server without them is not an error. */
export function Templates(props: TemplatesProps) {
  const { say, language } = useWords();
  const tasks = useQuery(templatesQuery(language));
  if (!tasks.data || tasks.data.length === 0) return null;
  return (
    <Fold className="more" head={<span>{say('templates.title')}</span>}>
      {() => (
        <>
          <p className="muted small">{say('templates.why')}</p>
          <TaskList {...props} tasks={tasks.data} />
        </>
      )}
    </Fold>
  );
}

/** The same at the end of the setup. */
export function FirstTask(props: TemplatesProps) {
  const { say, language } = useWords();
  const tasks = useQuery(templatesQuery(language));
  if (!tasks.data || tasks.data.length === 0) return null;
  return (
    <section className="first-task" aria-labelledby="first-task">
      <h2 id="first-task">{say('setup.try')}</h2>
      <p className="muted small">{say('setup.try.why')}</p>
      <TaskList {...props} tasks={tasks.data} />
    </section>
  );
}
