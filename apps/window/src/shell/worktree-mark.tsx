import { useQuery } from '@tanstack/react-query';
import { FolderGit2 } from 'lucide-react';
import { worktreesQuery } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';

/** Beside the name of a session that works in a worktree: its branch. */
export function WorktreeMark({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const worktree = useQuery(worktreesQuery).data?.find(({ sessions }) => sessions.includes(sessionId));
  if (!worktree) return null;
  const name = worktree.state?.branch ?? worktree.name;
  return (
    <span className="nav-branch" title={say('worktree.of', { name })}>
      <FolderGit2 size={12} aria-label={say('worktree.of', { name })} />
    </span>
  );
}
