import '../styles/worktrees.css';
import { ArrowDown, ArrowUp, FileDiff, FolderGit2 } from 'lucide-react';
import { Link } from 'react-router';
import { CleanText } from '../parts/clean-text.tsx';
import { CountMark } from '../parts/count-mark.tsx';
import { Menu } from '../parts/menu.tsx';
import type { Worktree } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';
import { SessionRows, type SessionRowsProps } from './session-rows.tsx';
import { useWorktreeActions } from './use-worktree-actions.tsx';
import type { WorktreeGroup } from './worktree-groups.ts';

interface SectionsProps extends Pick<SessionRowsProps, 'agentsOf'> {
  groups: readonly WorktreeGroup[];
  /** All worktrees. */
  all: readonly Worktree[];
}

/** The sessions of a project that work in worktrees, below those in its folder. */
export function WorktreeSections({ groups, ...rest }: SectionsProps) {
  return groups.map((group) => <WorktreeSection key={group.worktree.id} {...group} {...rest} />);
}

const NO_AGENTS: SectionsProps['agentsOf'] = new Map();

/** Worktrees that no session works in: of a session that was deleted, or never started. */
export function SpareWorktrees({ worktrees, all }: { worktrees: readonly Worktree[]; all: readonly Worktree[] }) {
  const { say } = useWords();
  return (
    <section className="nav-section">
      <h2>{say('worktrees.spare')}</h2>
      {worktrees.map((worktree) => (
        <WorktreeSection key={worktree.id} worktree={worktree} rows={[]} all={all} agentsOf={NO_AGENTS} />
      ))}
    </section>
  );
}

function WorktreeSection({ worktree, rows, all, agentsOf }: WorktreeGroup & Omit<SectionsProps, 'groups'>) {
  const { say } = useWords();
  const { state, name: label, base, folder, path } = worktree;
  const related = all.filter(({ origin }) => origin === worktree.origin).flatMap(({ sessions }) => sessions);
  const { entries } = useWorktreeActions(worktree, related);
  const branch = state?.branch ?? label;
  const name = base.name ?? base.commit.slice(0, 8);
  return (
    <div className="nav-worktree" role="group" aria-label={say('worktree.of', { name: branch })}>
      <div className="nav-line">
        <Link
          className="nav-row nav-worktree-head"
          data-roving
          tabIndex={-1}
          to={`/?folder=${encodeURIComponent(folder)}`}
          title={`${say('worktree.open')}\n${path}`}
        >
          <FolderGit2 size={14} aria-hidden />
          <span className="nav-name">
            <CleanText text={branch} />
          </span>
          {state === null && <span className="tag danger">{say('worktree.gone')}</span>}
          <CountMark
            className="warning"
            icon={<FileDiff size={12} />}
            count={state?.changedFiles ?? null}
            label={(count) => say('worktree.changed', { count })}
          />
          <CountMark
            icon={<ArrowUp size={12} />}
            count={state?.ahead ?? null}
            label={(count) => say('worktree.ahead', { count, name })}
          />
          <CountMark
            icon={<ArrowDown size={12} />}
            count={state?.behind ?? null}
            label={(count) => say('worktree.behind', { count, name })}
          />
        </Link>
        <Menu className="nav-act" tabIndex={-1} label={say('worktree.menu', { name: label })} entries={entries} />
      </div>
      <SessionRows rows={rows} agentsOf={agentsOf} />
    </div>
  );
}
