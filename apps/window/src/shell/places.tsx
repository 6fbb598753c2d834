import { useQuery } from '@tanstack/react-query';
import { Box, CalendarClock, Inbox } from 'lucide-react';
import { NavLink } from 'react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { isWaiting } from '../session/session-state.ts';
import { inboxQuery } from '../wire/automation-inbox.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { useWords, withWords } from '../words/words.ts';

const BoardLink = lazyPart(async () => (await withWords(import('./board-link.tsx'))).BoardLink, { isQuiet: true });
const WorktreesLink = lazyPart(async () => (await withWords(import('./worktrees-link.tsx'))).WorktreesLink, {
  isQuiet: true,
});

/** Number of unread automation runs. */
function UnreadRuns() {
  const { say, number } = useWords();
  const unread = useQuery(inboxQuery).data?.length ?? 0;
  if (unread === 0) return null;
  return (
    <span className="count tabular" role="img" aria-label={say('sidebar.unread', { count: unread })}>
      {number(unread)}
    </span>
  );
}

/** Number of sessions that wait for the user. */
function WaitingSessions() {
  const { say, number } = useWords();
  const waiting = (useQuery(sessionsQuery).data ?? []).filter(isWaiting).length;
  if (waiting === 0) return null;
  return (
    <span className="count tabular" role="img" aria-label={say('inbox.waiting', { count: waiting })}>
      {number(waiting)}
    </span>
  );
}

/** Links to pages other than sessions and settings. */
export function Places() {
  const { say } = useWords();
  return (
    <>
      <NavLink className="nav-row nav-wide" data-roving tabIndex={-1} to="/inbox">
        <Inbox size={14} aria-hidden />
        <span className="nav-name">{say('sidebar.inbox')}</span>
        <WaitingSessions />
      </NavLink>
      <BoardLink />
      <NavLink className="nav-row nav-wide" data-roving tabIndex={-1} to="/automations">
        <CalendarClock size={14} aria-hidden />
        <span className="nav-name">{say('sidebar.automations')}</span>
        <UnreadRuns />
      </NavLink>
      <WorktreesLink />
      <NavLink className="nav-row nav-wide" data-roving tabIndex={-1} to="/local-models">
        <Box size={14} aria-hidden />
        <span className="nav-name">{say('sidebar.localModels')}</span>
      </NavLink>
    </>
  );
}
