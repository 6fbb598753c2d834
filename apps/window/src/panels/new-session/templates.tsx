import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Fold } from '../../parts/box.tsx';
import { Failure } from '../../parts/states.tsx';
import { address, send } from '../../wire/call.ts';
import { sessionsQuery, tasksQuery } from '../../wire/queries.ts';
import { useWords } from '../../words/words.ts';
import { type Choices, settingsOf } from './choices.ts';

/** Sample projects, each in a private copy; the choices above apply to them, too. */
export function Templates({ choices }: { choices: Choices }) {
  const { say, language } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const tasks = useQuery(tasksQuery(language));
  const start = useMutation({
    mutationFn: (taskId: string) =>
      send<{ sessionId: string }>(address(['sessions']), { taskId, ...settingsOf(choices, language) }),
    onSuccess: async ({ sessionId }) => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await navigate(`/sessions/${sessionId}`);
    },
  });
  // A server without templates is not an error.
  if (!tasks.data || tasks.data.length === 0) return null;
  return (
    <Fold className="more" head={<span>{say('templates.title')}</span>}>
      {() => (
        <>
          <p className="muted small">{say('templates.why')}</p>
          <ul className="templates">
            {tasks.data.map(({ id, progetto, difficolta, consegnaCorta }) => (
              <li key={id}>
                <button type="button" className="template" disabled={start.isPending} onClick={() => start.mutate(id)}>
                  <span className="level-name">
                    {progetto} <span className="tag muted">{difficolta}</span>
                  </span>
                  <span className="level-why">{consegnaCorta}</span>
                </button>
              </li>
            ))}
          </ul>
          {start.error && <Failure error={start.error} />}
        </>
      )}
    </Fold>
  );
}
