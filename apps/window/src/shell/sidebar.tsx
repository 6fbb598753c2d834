import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleQuestionMark, NotebookPen, PanelLeftClose, Plus, Search, Settings } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { lazyPart, Waiting } from '../parts/lazy-part.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { useFirstPaint } from '../parts/use-after-paint.ts';
import { groupByParent, groupByProject, type SessionGroup, stateOf } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import type { SessionRow } from '../wire/records.ts';
import { type Worktree, worktreesQuery } from '../wire/worktrees.ts';
import { useWords, withWords } from '../words/words.ts';
import { KeepPlace, useKeptRow } from './kept-place.ts';
import { toggleColumn } from './layout.ts';
import { openOverlay } from './overlay-state.ts';
import { Places } from './places.tsx';
import { useRovingList } from './roving-list.ts';
import { SessionRows } from './session-rows.tsx';
import { isMac } from './shortcuts.ts';
import { groupByWorktree } from './worktree-groups.ts';

const WorktreeSections = lazyPart(async () => (await withWords(import('./worktree-sections.tsx'))).WorktreeSections, {
  isQuiet: true,
});
const SpareWorktrees = lazyPart(async () => (await withWords(import('./worktree-sections.tsx'))).SpareWorktrees, {
  isQuiet: true,
});
const SearchResults = lazyPart(async () => (await import('./search-results.tsx')).SearchResults);

type AgentsOf = ReadonlyMap<string, readonly SessionRow[]>;
/** States with their own section, in this order; finished sessions are listed by project. */
const ROSTER = ['waiting', 'running', 'interrupted'] as const;
/** Sessions of a project shown at first. */
const LATEST = 3;
const NO_WORKTREES: readonly Worktree[] = [];

interface SectionProps {
  title: string;
  rows: readonly SessionRow[];
  agentsOf: AgentsOf;
}

function Section({ title, rows, agentsOf }: SectionProps) {
  if (rows.length === 0) return null;
  return (
    <section className="nav-section">
      <h2>{title}</h2>
      <SessionRows rows={rows} agentsOf={agentsOf} />
    </section>
  );
}

/** After the paint: the browser takes 10 ms to make the first formatter of compact counts. */
function TokenCount({ tokens }: { tokens: number }) {
  const { say, short } = useWords();
  if (!useFirstPaint()) return null;
  const count = short(tokens);
  return (
    <span className="nav-time tabular" title={say('sidebar.tokens', { count })}>
      {say('sidebar.tokens.short', { count })}
    </span>
  );
}

interface ProjectSectionProps {
  group: SessionGroup;
  agentsOf: AgentsOf;
  kept: SessionRow | undefined;
}

/** The latest sessions of a project, the others on demand; the current one, and one in use, are always shown. */
function ProjectSection({ group, agentsOf, kept }: ProjectSectionProps) {
  const { say } = useWords();
  const { pathname } = useLocation();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole
    ? group.rows
    : group.rows.filter(
        ({ sessionId }, at) =>
          at < LATEST || sessionId === kept?.sessionId || pathname.startsWith(`/sessions/${sessionId}`),
      );
  const more = group.rows.length - shown.length;
  const { data: worktrees = NO_WORKTREES } = useQuery(worktreesQuery);
  const { loose, groups } = groupByWorktree(shown, worktrees);
  return (
    <section className="nav-section">
      <h2>
        <span className="nav-name">{group.name}</span>
        {group.tokens > 0 && <TokenCount tokens={group.tokens} />}
      </h2>
      <SessionRows rows={loose} agentsOf={agentsOf} />
      {groups.length > 0 && (
        <Waiting fallback={<SessionRows rows={groups.flatMap(({ rows }) => rows)} agentsOf={agentsOf} />}>
          <WorktreeSections groups={groups} all={worktrees} agentsOf={agentsOf} />
        </Waiting>
      )}
      {more > 0 && (
        <button type="button" className="nav-more" data-roving tabIndex={-1} onClick={() => setIsWhole(true)}>
          {say('sidebar.more', { count: more })}
        </button>
      )}
    </section>
  );
}

function Sections({ rows }: { rows: SessionRow[] }) {
  const { say } = useWords();
  const { data: worktrees = NO_WORKTREES } = useQuery(worktreesQuery);
  const spare = worktrees.filter(({ sessions }) => sessions.length === 0);
  const { kept, keep } = useKeptRow();
  const { agentsOf, byState, groups } = useMemo(() => {
    const known = new Set(rows.map((row) => row.sessionId));
    // A sub-agent whose parent was deleted is listed separately.
    const own = rows.filter(({ parentId }) => parentId === null || !known.has(parentId));
    const placeOf = (row: SessionRow) => stateOf(row.sessionId === kept?.sessionId ? kept : row);
    const of = (state: string) => own.filter((row) => placeOf(row) === state);
    const rest = own.filter((row) => !(ROSTER as readonly string[]).includes(placeOf(row)));
    return {
      agentsOf: groupByParent(rows),
      byState: ROSTER.map((state) => [state, of(state)] as const),
      groups: groupByProject(rest, say('sidebar.loose')),
    };
  }, [rows, kept, say]);
  return (
    <KeepPlace value={keep}>
      {rows.length === 0 && <p className="nav-empty muted">{say('sidebar.empty')}</p>}
      {byState.map(([state, members]) => (
        <Section key={state} title={say(`sidebar.${state}`)} rows={members} agentsOf={agentsOf} />
      ))}
      {groups.map((group) => (
        <ProjectSection key={group.name} group={group} agentsOf={agentsOf} kept={kept} />
      ))}
      {spare.length > 0 && <SpareWorktrees worktrees={spare} all={worktrees} />}
    </KeepPlace>
  );
}

function SearchField({ search, setSearch }: { search: string; setSearch: (text: string) => void }) {
  const { say } = useWords();
  return (
    <div className="search">
      <Search size={14} aria-hidden />
      <input
        type="search"
        aria-label={say('sidebar.search')}
        placeholder={say('sidebar.search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setSearch('');
        }}
      />
      <button
        type="button"
        className="search-key"
        title={say('shortcut.palette')}
        onClick={() => openOverlay({ kind: 'palette' })}
      >
        {isMac ? '⌘K' : 'Ctrl K'}
      </button>
    </div>
  );
}

function Foot() {
  const { say } = useWords();
  return (
    <div className="sidebar-foot">
      <Places />
      <NavLink className="nav-row" data-roving tabIndex={-1} to="/records">
        <NotebookPen size={14} aria-hidden />
        <span className="nav-name">{say('sidebar.records')}</span>
      </NavLink>
      <NavLink className="nav-row" data-roving tabIndex={-1} to="/settings">
        <Settings size={14} aria-hidden />
        <span className="nav-name">{say('settings.title')}</span>
      </NavLink>
      <button
        type="button"
        className="icon-button"
        data-roving
        tabIndex={-1}
        aria-label={say('help.title')}
        title={say('help.title')}
        onClick={() => openOverlay({ kind: 'help' })}
      >
        <CircleQuestionMark size={14} aria-hidden />
      </button>
    </div>
  );
}

export function Sidebar() {
  const { say } = useWords();
  const sessions = useQuery(sessionsQuery);
  const [search, setSearch] = useState('');
  const places = useRef<HTMLDivElement>(null);
  const move = useRovingList(places);
  // The content of the page is drawn first.
  const isPainted = useFirstPaint();
  return (
    <div className="sidebar">
      <div className="sidebar-head">
        <Link to="/" className="brand">
          Fucina
        </Link>
        <Button component={Link} to="/" leftSection={<Plus size={14} aria-hidden />} aria-keyshortcuts="Alt+N">
          {say('session.new')}
        </Button>
        <button
          type="button"
          className="icon-button sidebar-close"
          aria-label={say('shell.closeSidebar')}
          title={say('shell.closeSidebar')}
          aria-keyshortcuts={isMac ? 'Meta+B' : 'Control+B'}
          onClick={() => toggleColumn('left')}
        >
          <PanelLeftClose size={16} aria-hidden />
        </button>
      </div>
      <SearchField search={search} setSearch={setSearch} />
      <div ref={places} className="sidebar-places" onKeyDown={move}>
        <nav className="sidebar-list" aria-label={say('sidebar.sessions')}>
          {search.trim() !== '' ? (
            <SearchResults search={search} rows={sessions.data ?? []} />
          ) : sessions.data ? (
            isPainted && <Sections rows={sessions.data} />
          ) : sessions.isError ? (
            <Failure error={sessions.error} retry={() => void sessions.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </nav>
        {isPainted && <Foot />}
      </div>
    </div>
  );
}
