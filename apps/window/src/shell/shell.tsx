import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PanelLeft } from 'lucide-react';
import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { afterPaintAnd } from '../ambient.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { stateOf } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { useWords, withWords } from '../words/words.ts';
import { showBadge } from './badge.ts';
import { closeDrawer, toggleColumn } from './layout.ts';
import { useOverlay } from './overlay-state.ts';
import { isMac, useShortcuts } from './shortcuts.ts';
import { SideColumn, useIsColumnShown } from './side-column.tsx';
import { Sidebar } from './sidebar.tsx';

const Overlays = lazyPart(async () => (await withWords(import('./overlays.tsx'))).Overlays);
const Notifications = lazyPart(
  async () => (await withWords(import('./notifications/notifications.tsx'))).Notifications,
  { isQuiet: true },
);

/**
 * The page title: the current session, preceded by the number of waiting ones; the icon is marked while there are any.
 */
function usePageTitle(): void {
  const { pathname } = useLocation();
  const { data: rows = [] } = useQuery(sessionsQuery);
  const waiting = rows.filter((row) => stateOf(row) === 'waiting').length;
  const name = rows.find((row) => pathname.startsWith(`/sessions/${row.sessionId}`))?.name;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name ? `${unlikeCount(name)} · ` : ''}Fucina`;
  }, [waiting, name]);
  useEffect(() => showBadge(waiting), [waiting]);
}

/** A word joiner, so that the name `(3) parsers` is not read as the number of waiting sessions. */
const unlikeCount = (name: string): string => name.replace(/^\(/, '\u2060(');

/** The palette opens at once: its code is loaded when the page is at rest. */
const PRELOAD_AFTER_MS = 500;

/** The frame of every page. */
export function Shell() {
  const { say } = useWords();
  const hasSidebar = useIsColumnShown('left');
  const overlay = useOverlay();
  const { pathname } = useLocation();
  useShortcuts();
  usePageTitle();
  useEffect(() => afterPaintAnd(PRELOAD_AFTER_MS, Overlays.preload), []);
  useEffect(closeDrawer, [pathname]);
  return (
    <div className="shell" data-sidebar={hasSidebar ? 'shown' : 'hidden'}>
      <a className="skip" href="#stage">
        {say('shell.skip')}
      </a>
      <SideColumn side="left" label={say('sidebar.sessions')}>
        <Sidebar />
      </SideColumn>
      <div className="shell-main" id="stage">
        {!hasSidebar && (
          <ActionIcon
            className="sidebar-open"
            aria-label={say('shell.openSidebar')}
            title={say('shell.openSidebar')}
            aria-keyshortcuts={isMac ? 'Meta+B' : 'Control+B'}
            onClick={() => toggleColumn('left')}
          >
            <PanelLeft size={16} />
          </ActionIcon>
        )}
        <Outlet />
      </div>
      <Notifications />
      {overlay && <Overlays overlay={overlay} />}
    </div>
  );
}
