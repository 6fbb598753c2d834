import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, Search, Settings } from 'lucide-react';
import { useMemo } from 'react';
import { Link, NavLink } from 'react-router';
import { SessionMark } from '../parts/session-mark.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { byProject, stateOf } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import type { SessionRow } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { openOverlay } from './overlay-state.ts';
import { isMac } from './shortcuts.ts';

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
        <Section key={group.name} title={group.name} rows={group.rows} />
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
