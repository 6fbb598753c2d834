import { ArrowDown, ArrowUp, GitBranch } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Worktree } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';

interface CommitsProps {
  icon: ReactNode;
  count: number | null;
  label: (count: number) => string;
}

function Commits({ icon, count, label }: CommitsProps) {
  const { number } = useWords();
  if (!count) return null;
  return (
    <span className="tabular" role="img" aria-label={label(count)} title={label(count)}>
      {icon}
      {number(count)}
    </span>
  );
}

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
      <Commits
        icon={<ArrowUp size={12} />}
        count={stato.avanti}
        label={(count) => say('worktree.ahead', { count, name })}
      />
      <Commits
        icon={<ArrowDown size={12} />}
        count={stato.indietro}
        label={(count) => say('worktree.behind', { count, name })}
      />
    </span>
  );
}
