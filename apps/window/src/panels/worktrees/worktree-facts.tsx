import { ArrowDown, ArrowUp, GitBranch } from 'lucide-react';
import { CountMark } from '../../parts/count-mark.tsx';
import type { Worktree } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';

/** Branch, uncommitted files, and commits since the base. */
export function WorktreeFacts({ worktree: { stato, base, nome } }: { worktree: Worktree }) {
  const { say } = useWords();
  if (stato === null) return <span className="tag danger">{say('worktree.gone')}</span>;
  const name = base.nome ?? base.commit.slice(0, 8);
  return (
    <span className="worktree-facts small">
      <span className="worktree-branch" title={stato.ramo ?? undefined}>
        <GitBranch size={12} aria-hidden /> {stato.ramo ?? say('worktree.detached', { name: nome })}
      </span>
      {stato.fileModificati > 0 && (
        <span className="warning">{say('worktree.changed', { count: stato.fileModificati })}</span>
      )}
      <CountMark
        icon={<ArrowUp size={12} />}
        count={stato.avanti}
        label={(count) => say('worktree.ahead', { count, name })}
      />
      <CountMark
        icon={<ArrowDown size={12} />}
        count={stato.indietro}
        label={(count) => say('worktree.behind', { count, name })}
      />
    </span>
  );
}
