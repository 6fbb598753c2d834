import { Link, NavLink } from 'react-router';
import { plainPieces } from '../parts/plain-text.ts';
import { SessionMark } from '../parts/session-mark.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { stateOf } from '../session/session-state.ts';
import type { SessionRow } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { matches } from './pick-list.tsx';
import { ownSessions, useMessageSearch } from './use-message-search.ts';

const MOST_NAMES = 30;
type Place = NonNullable<SessionRow['hits']>[number];

/** The excerpt around a match, without Markdown. */
export function Excerpt({ place }: { place: Place }) {
  return plainPieces(place.passage).map(({ text, hits }, at) => (hits ? <mark key={at}>{text}</mark> : text));
}

function Found({ row }: { row: SessionRow }) {
  const { say } = useWords();
  return (
    <li className="found">
      <NavLink className="nav-row" data-roving tabIndex={-1} to={`/sessions/${row.sessionId}`}>
        <SessionMark state={stateOf(row)} />
        <span className="nav-name">{row.name ?? say('session.untitled')}</span>
      </NavLink>
      {row.hits?.map((place) => (
        <Link
          key={place.sequence}
          className="found-place small"
          data-roving
          tabIndex={-1}
          to={`/sessions/${row.sessionId}#${encodeURIComponent(place.reference)}`}
        >
          <Excerpt place={place} />
        </Link>
      ))}
    </li>
  );
}

/** Sessions by name at once, and by content as soon as the server has answered. */
export function SearchResults({ search, rows }: { search: string; rows: readonly SessionRow[] }) {
  const { say } = useWords();
  const said = useMessageSearch(search);
  const named = ownSessions(rows)
    .filter((row) => matches(`${row.name ?? ''} ${row.project ?? ''}`, search))
    .slice(0, MOST_NAMES);
  return (
    <>
      {named.length > 0 && (
        <section className="nav-section">
          <h2>{say('sidebar.byName')}</h2>
          <ul>
            {named.map((row) => (
              <Found key={row.sessionId} row={{ ...row, hits: undefined }} />
            ))}
          </ul>
        </section>
      )}
      <section className="nav-section">
        <h2>{say('sidebar.bySaid')}</h2>
        {said.isError ? (
          <Failure error={said.error} />
        ) : said.data ? (
          <>
            <ul>
              {said.data
                .filter((row) => row.hits && row.hits.length > 0)
                .map((row) => (
                  <Found key={row.sessionId} row={row} />
                ))}
            </ul>
            <p className="nav-empty muted small" role="status">
              {say('sidebar.found', { count: said.data.reduce((sum, row) => sum + (row.hits?.length ?? 0), 0) })}
            </p>
          </>
        ) : (
          <Loading lines={3} />
        )}
      </section>
    </>
  );
}
