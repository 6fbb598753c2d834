import '../../styles/inbox.css';
import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { Link } from 'react-router';
import { Answer, Empty } from '../../parts/states.tsx';
import { CardKeysScope } from '../../parts/use-card-keys.ts';
import { isWaiting } from '../../session/session-state.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { PendingRequest } from '../session/cards/pending-request.tsx';

/** One waiting session, with its oldest request. */
function Waiting({ row }: { row: SessionRow }) {
  const { say, ago } = useWords();
  const { sessionId } = row;
  const since = row.lastAnswerAt ?? row.startedAt;
  const session = <Link to={`/sessions/${sessionId}`}>{row.delegatedTask ?? row.name ?? say('session.untitled')}</Link>;
  const from = (
    <span className="inbox-from small">
      {session}
      {row.project && <span className="muted">{row.project}</span>}
      <time className="muted tabular" dateTime={since}>
        {ago(since)}
      </time>
    </span>
  );
  return (
    <li className="inbox-entry">
      <PendingRequest
        row={row}
        from={from}
        elicitation={
          <p className="inbox-from small">
            {session}
            <span className="muted">{say('inbox.elicitation')}</span>
          </p>
        }
      />
    </li>
  );
}

/** Pending requests of all sessions, which can be answered here. Keys answer the focused card. */
export function InboxPage() {
  const { say } = useWords();
  const sessions = useQuery(sessionsQuery);
  return (
    <main className="stage stage-page">
      <div className="page inbox">
        <h1>{say('inbox.title')}</h1>
        <Answer query={sessions} lines={6}>
          {(rows) => {
            // The list is newest first; here the longest waiting one comes first.
            const waiting = rows.filter(isWaiting).toReversed();
            if (waiting.length === 0) {
              return (
                <Empty icon={<Inbox size={24} aria-hidden />} title={say('inbox.none')}>
                  {say('inbox.none.why')}
                </Empty>
              );
            }
            return (
              <CardKeysScope value="card">
                <ul className="inbox-list">
                  {waiting.map((row) => (
                    <Waiting key={row.sessionId} row={row} />
                  ))}
                </ul>
              </CardKeysScope>
            );
          }}
        </Answer>
      </div>
    </main>
  );
}
