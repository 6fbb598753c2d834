import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { hasCard } from '../../../session/session-state.ts';
import { sessionsQuery } from '../../../wire/queries.ts';
import type { SessionRow } from '../../../wire/records.ts';
import { pendingQuery } from '../../../wire/session-details.ts';
import { useWords } from '../../../words/words.ts';
import { Card } from './card.tsx';
import { itemOf } from './pending-item.ts';

/** The sub-agents of this session, at any depth, oldest first. */
export function descendantsOf(rows: readonly SessionRow[], sessionId: string): SessionRow[] {
  const own = rows.filter((row) => row.parentId === sessionId);
  return own.flatMap((row) => [row, ...descendantsOf(rows, row.sessionId)]);
}

/** A sub-agent's request, which the user can answer here. */
export function DescendantCard({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const rows = useQuery(sessionsQuery);
  const waiting = descendantsOf(rows.data ?? [], sessionId).filter(hasCard);
  const child = waiting[0];
  const pending = useQuery({ ...pendingQuery(child?.sessionId ?? ''), enabled: child !== undefined });
  const item = pending.data && itemOf(pending.data);
  if (!child || !item) return null;
  return (
    <Card
      key={item.key}
      asked={{ sessionId: child.sessionId, from: sessionId }}
      item={item}
      more={waiting.length - 1}
      from={
        <Link className="small ask-from" to={`/sessions/${child.sessionId}`}>
          {say('ask.from', { name: child.delegatedTask ?? child.name ?? say('session.untitled') })}
        </Link>
      }
    />
  );
}
