import { useQuery } from '@tanstack/react-query';
import { FolderGit2 } from 'lucide-react';
import { NavLink } from 'react-router';
import { worktreesQuery } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';

/** The page of worktrees, while there are any. */
export function WorktreesLink() {
  const { say } = useWords();
  const count = useQuery(worktreesQuery).data?.length ?? 0;
  if (count === 0) return null;
  return (
    <NavLink className="nav-row nav-wide" data-roving tabIndex={-1} to="/worktrees">
      <FolderGit2 size={14} aria-hidden />
      <span className="nav-name">{say('worktrees.title')}</span>
    </NavLink>
  );
}
