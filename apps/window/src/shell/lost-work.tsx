import '../styles/worktrees.css';
import type { Worktree } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';

/** What a removal loses and what stays. */
export function LostWork({ worktree, deletesBranch }: { worktree: Worktree; deletesBranch: boolean }) {
  const { say } = useWords();
  const { state, path, sessions } = worktree;
  const branch = state?.branch ?? '';
  return (
    <div className="worktree-lost">
      <p>
        <code>{path}</code>
      </p>
      {state === null && <p className="danger">{say('worktree.lost.unknown')}</p>}
      {state !== null && state.changedFiles > 0 && (
        <p className="danger">{say('worktree.lost.files', { count: state.changedFiles })}</p>
      )}
      {state !== null && state.branch === null && state.unmerged > 0 && (
        <p className="danger">{say('worktree.lost.commits', { count: state.unmerged })}</p>
      )}
      {state?.branch && (
        <p>
          {deletesBranch
            ? say('worktree.lost.branchToo', { branch })
            : say('worktree.lost.branchStays', { branch, count: state.unmerged })}
        </p>
      )}
      {sessions.length > 0 && <p>{say('worktree.lost.sessions', { count: sessions.length })}</p>}
    </div>
  );
}
