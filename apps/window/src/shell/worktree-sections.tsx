import '../styles/worktrees.css';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, FileDiff, FolderGit2 } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { CountMark } from '../parts/count-mark.tsx';
import { Menu } from '../parts/menu.tsx';
import type { SessionRow } from '../wire/records.ts';
import { type Worktree, worktreesQuery } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';
import { SessionLink } from './session-link.tsx';
import { useWorktreeActions } from './use-worktree-actions.tsx';

interface SectionsProps {
  rows: readonly SessionRow[];
  agentsOf: ReadonlyMap<string, readonly SessionRow[]>;
}

/** The sessions of a project: first those in its folder, then those of each worktree. */
export function WorktreeSections({ rows, agentsOf }: SectionsProps) {
  const { data: worktrees } = useQuery(worktreesQuery);
  const { loose, groups } = useMemo(() => groupByWorktree(rows, worktrees ?? []), [rows, worktrees]);
  return (
    <>
      <Rows rows={loose} agentsOf={agentsOf} />
      {groups.map((group) => (
        <WorktreeSection key={group.worktree.id} {...group} all={worktrees ?? []} agentsOf={agentsOf} />
      ))}
    </>
  );
}

function Rows({ rows, agentsOf }: SectionsProps) {
  if (rows.length === 0) return null;
  return (
    <ul>
      {rows.map((row) => (
        <SessionLink key={row.sessionId} row={row} agentsOf={agentsOf} />
      ))}
    </ul>
  );
}

interface WorktreeGroup {
  worktree: Worktree;
  rows: SessionRow[];
}

function groupByWorktree(
  rows: readonly SessionRow[],
  worktrees: readonly Worktree[],
): { loose: SessionRow[]; groups: WorktreeGroup[] } {
  const loose: SessionRow[] = [];
  const groups = new Map<string, WorktreeGroup>();
  for (const row of rows) {
    const worktree = worktrees.find(({ sessioni }) => sessioni.includes(row.sessionId));
    if (!worktree) loose.push(row);
    else {
      const group = groups.get(worktree.id) ?? { worktree, rows: [] };
      group.rows.push(row);
      groups.set(worktree.id, group);
    }
  }
  return { loose, groups: [...groups.values()] };
}

function WorktreeSection({
  worktree,
  rows,
  all,
  agentsOf,
}: WorktreeGroup & SectionsProps & { all: readonly Worktree[] }) {
  const { say } = useWords();
  const { stato, nome, base, cartella, percorso } = worktree;
  const related = all.filter(({ origine }) => origine === worktree.origine).flatMap(({ sessioni }) => sessioni);
  const { entries } = useWorktreeActions(worktree, related);
  const branch = stato?.ramo ?? nome;
  const name = base.nome ?? base.commit.slice(0, 8);
  return (
    <div className="nav-worktree" role="group" aria-label={say('worktree.of', { name: branch })}>
      <div className="nav-line">
        <Link
          className="nav-row nav-worktree-head"
          data-roving
          tabIndex={-1}
          to={`/?folder=${encodeURIComponent(cartella)}`}
          title={`${say('worktree.open')}\n${percorso}`}
        >
          <FolderGit2 size={14} aria-hidden />
          <span className="nav-name">{branch}</span>
          {stato === null && <span className="tag danger">{say('worktree.gone')}</span>}
          <CountMark
            className="warning"
            icon={<FileDiff size={12} />}
            count={stato?.fileModificati ?? null}
            label={(count) => say('worktree.changed', { count })}
          />
          <CountMark
            icon={<ArrowUp size={12} />}
            count={stato?.avanti ?? null}
            label={(count) => say('worktree.ahead', { count, name })}
          />
          <CountMark
            icon={<ArrowDown size={12} />}
            count={stato?.indietro ?? null}
            label={(count) => say('worktree.behind', { count, name })}
          />
        </Link>
        <Menu className="nav-act" tabIndex={-1} label={say('worktree.menu', { name: nome })} entries={entries} />
      </div>
      <Rows rows={rows} agentsOf={agentsOf} />
    </div>
  );
}
