import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import { api } from '../../../wire/client.ts';

import { useWords } from '../../../words/words.ts';

const turnTimesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['turnTimes', sessionId],
    queryFn: async ({ signal }) =>
      (await api.get('/ext/sessions/{sessionId}/times', { path: { sessionId }, signal })).steps,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** When a turn started or ended: the time of today, else with the date; in full on hover. */
export function TurnTime({ reference, edge }: { reference: string; edge: 'start' | 'end' }) {
  const { date, ago, language } = useWords();
  const { sessionId = '' } = useParams();
  const { data, refetch } = useQuery(turnTimesQuery(sessionId));
  const asked = useRef(false);
  const turn = data?.find((turn) => turn.reference === reference);
  const at = edge === 'start' ? turn?.startedAt : turn?.finishedAt;
  const isMissing = data !== undefined && !at;
  // A turn newer than the list.
  useEffect(() => {
    if (!isMissing || asked.current) return;
    asked.current = true;
    void refetch();
  }, [isMissing, refetch]);
  if (!at) return null;
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (
    <time className="turn-time muted small tabular" dateTime={at} title={`${date(at)} · ${ago(at)}`}>
      {isToday ? new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(at)) : date(at)}
    </time>
  );
}
