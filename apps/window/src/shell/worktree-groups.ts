import type { SessionRow } from '../wire/records.ts';
import type { Worktree } from '../wire/worktrees.ts';

export interface WorktreeGroup {
  worktree: Worktree;
  rows: SessionRow[];
}

/** The sessions of each worktree, and `loose` ones, which work in a folder of the user. */
export function groupByWorktree(
  rows: readonly SessionRow[],
  worktrees: readonly Worktree[],
): { loose: SessionRow[]; groups: WorktreeGroup[] } {
  const loose: SessionRow[] = [];
  const groups = new Map<string, WorktreeGroup>();
  for (const row of rows) {
    const worktree = worktrees.find(({ sessions }) => sessions.includes(row.sessionId));
    if (!worktree) loose.push(row);
    else {
      const group = groups.get(worktree.id) ?? { worktree, rows: [] };
      group.rows.push(row);
      groups.set(worktree.id, group);
    }
  }
  return { loose, groups: [...groups.values()] };
}
