import '../styles/worktrees.css';
import type { Worktree } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';

/** What a removal loses and what stays. */
export function LostWork({ worktree, deletesBranch }: { worktree: Worktree; deletesBranch: boolean }) {
  const { say } = useWords();
  const { stato, percorso, sessioni } = worktree;
  const branch = stato?.ramo ?? '';
  return (
    <div className="worktree-lost">
      <p>
        <code>{percorso}</code>
      </p>
      {stato === null && <p className="danger">{say('worktree.lost.unknown')}</p>}
      {stato !== null && stato.fileModificati > 0 && (
        <p className="danger">{say('worktree.lost.files', { count: stato.fileModificati })}</p>
      )}
      {stato !== null && stato.ramo === null && stato.nonUniti > 0 && (
        <p className="danger">{say('worktree.lost.commits', { count: stato.nonUniti })}</p>
      )}
      {stato?.ramo && (
        <p>
          {deletesBranch
            ? say('worktree.lost.branchToo', { branch })
            : say('worktree.lost.branchStays', { branch, count: stato.nonUniti })}
        </p>
      )}
      {sessioni.length > 0 && <p>{say('worktree.lost.sessions', { count: sessioni.length })}</p>}
    </div>
  );
}
