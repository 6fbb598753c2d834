import { useQuery } from '@tanstack/react-query';
import { Failure, Loading } from '../../../parts/states.tsx';
import { api } from '../../../wire/client.ts';

import { useWords } from '../../../words/words.ts';

/** What a restore will do to each file. */
export function RestorePreview({ sessionId, reference }: { sessionId: string; reference: string }) {
  const { say } = useWords();
  const { data, error } = useQuery({
    queryKey: ['restore', sessionId, reference],
    queryFn: async ({ signal }) => {
      return (
        await api.get('/ext/sessions/{sessionId}/restore', {
          path: { sessionId },
          query: { reference },
          signal,
        })
      ).files;
    },
    gcTime: 0,
  });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading lines={3} />;
  if (data.length === 0) return <p>{say('restore.nothing')}</p>;
  return (
    <>
      <ul className="restore-files">
        {data.map(({ path, effect, problem }) => (
          <li key={path}>
            <code>{path}</code>{' '}
            <span className={problem ? 'warning' : 'muted'}>{say(`restore.${problem ?? effect}`)}</span>
          </li>
        ))}
      </ul>
      <p className="muted small">{say('restore.why')}</p>
    </>
  );
}
