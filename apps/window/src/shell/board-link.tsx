import { useQuery } from '@tanstack/react-query';
import { LayoutList } from 'lucide-react';
import { NavLink } from 'react-router';
import { isLive, isWaiting } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { useWords } from '../words/words.ts';

/** The board, while several sessions run or wait: one alone is in the list above. */
export function BoardLink() {
  const { say } = useWords();
  const sessions = useQuery(sessionsQuery).data ?? [];
  const live = sessions.filter((row) => row.parentId === null && (isLive(row) || isWaiting(row)));
  if (live.length < 2) return null;
  return (
    <NavLink className="nav-row nav-wide" data-roving tabIndex={-1} to="/board">
      <LayoutList size={14} aria-hidden />
      <span className="nav-name">{say('board.title')}</span>
    </NavLink>
  );
}
