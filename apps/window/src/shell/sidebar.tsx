import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, Search, Settings } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { SessionMark } from '../parts/session-mark.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { byProject, type Group, stateOf } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import type { SessionRow } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { openOverlay } from './overlay-state.ts';
import { isMac } from './shortcuts.ts';

/** Sessions of a project that are shown unasked. */
const LATEST = 3;

function SessionLink({ row }: { row: SessionRow }) {
  const { say, ago } = useWords();
  const name = row.nome ?? say('session.untitled');
  return (
    <li>
      <NavLink className="nav-row" to={`/sessions/${row.sessionId}`} title={name}>
        <SessionMark state={stateOf(row)} />
        <span className="nav-name">{name}</span>
        <time className="nav-time tabular" dateTime={row.ultimaRispostaAlle ?? row.avviataAlle}>
          {ago(row.ultimaRispostaAlle ?? row.avviataAlle)}
        </time>
      </NavLink>
    </li>
  );
}

function Section({ title, rows }: { title: string; rows: SessionRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="nav-section">
      <h2>{title}</h2>
      <ul>
        {rows.map((row) => (
          <SessionLink key={row.sessionId} row={row} />
        ))}
      </ul>
    </section>
  );
}

/** The latest of a project, and the others on demand; the one on screen is always among them. */
function ProjectSection({ group }: { group: Group }) {
  const { say, short } = useWords();
  const { pathname } = useLocation();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole
    ? group.rows
    : group.rows.filter((row, at) => at < LATEST || pathname.startsWith(`/sessions/${row.sessionId}`));
  const more = group.rows.length - shown.length;
  return (
    <section className="nav-section">
      <h2>
        <span className="nav-name">{group.name}</span>
        {group.tokens > 0 && (
          <span className="nav-time tabular" title={say('sidebar.tokens', { count: short(group.tokens) })}>
            {short(group.tokens)}
          </span>
        )}
      </h2>
      <ul>
        {shown.map((row) => (
          <SessionLink key={row.sessionId} row={row} />
        ))}
      </ul>
      {more > 0 && (
        <button type="button" className="nav-more" onClick={() => setIsWhole(true)}>
          {say('sidebar.more', { count: more })}
        </button>
      )}
    </section>
  );
}

function Sections({ rows }: { rows: SessionRow[] }) {
  const { say } = useWords();
  const { waiting, running, groups } = useMemo(() => {
    const own = rows.filter((row) => row.padreId === null);
    const of = (state: string) => own.filter((row) => stateOf(row) === state);
    const rest = own.filter((row) => !['waiting', 'running'].includes(stateOf(row)));
    return { waiting: of('waiting'), running: of('running'), groups: byProject(rest, say('sidebar.loose')) };
  }, [rows, say]);
  if (rows.length === 0) return <p className="nav-empty muted">{say('sidebar.empty')}</p>;
  return (
    <>
      <Section title={say('sidebar.waiting')} rows={waiting} />
      <Section title={say('sidebar.running')} rows={running} />
      {groups.map((group) => (
        <ProjectSection key={group.name} group={group} />
      ))}
    </>
  );
}

export function Sidebar() {
  const { say } = useWords();
  const sessions = useQuery(sessionsQuery);
  return (
    <div className="sidebar">
      <div className="sidebar-head">
        <Link to="/" className="brand">
          Fucina
        </Link>
        <Button component={Link} to="/" leftSection={<Plus size={14} aria-hidden />} aria-keyshortcuts="Alt+N">
          {say('session.new')}
        </Button>
      </div>
      <button type="button" className="search" onClick={() => openOverlay({ kind: 'palette' })}>
        <Search size={14} aria-hidden />
        <span>{say('sidebar.search')}</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav className="sidebar-list" aria-label={say('sidebar.sessions')}>
        {sessions.data ? (
          <Sections rows={sessions.data} />
        ) : sessions.isError ? (
          <Failure error={sessions.error} retry={() => void sessions.refetch()} />
        ) : (
          <Loading lines={6} />
        )}
      </nav>
      <div className="sidebar-foot">
        <NavLink className="nav-row" to="/settings">
          <Settings size={14} aria-hidden />
          <span className="nav-name">{say('settings.title')}</span>
        </NavLink>
      </div>
    </div>
  );
}
