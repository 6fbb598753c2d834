import { ArrowDown, ArrowUp, GitBranch } from 'lucide-react';
import { CountMark } from '../../parts/count-mark.tsx';
import type { Worktree } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';

/** Branch, uncommitted files, and commits since the base. */
export function WorktreeFacts({ worktree: { state, base, name } }: { worktree: Worktree }) {
  const { say } = useWords();
  if (state === null) return <span className="tag danger">{say('worktree.gone')}</span>;
  const baseName = base.name ?? base.commit.slice(0, 8);
  return (
    <span className="worktree-facts small">
      <span className="worktree-branch" title={state.branch ?? undefined}>
        <GitBranch size={12} aria-hidden /> {state.branch ?? say('worktree.detached', { name })}
      </span>
      {state.changedFiles > 0 && (
        <span className="warning">{say('worktree.changed', { count: state.changedFiles })}</span>
      )}
      <CountMark
        icon={<ArrowUp size={12} />}
        count={state.ahead}
        label={(count) => say('worktree.ahead', { count, name: baseName })}
      />
      <CountMark
        icon={<ArrowDown size={12} />}
        count={state.behind}
        label={(count) => say('worktree.behind', { count, name: baseName })}
      />
    </span>
  );
}
