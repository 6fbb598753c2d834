import type { GitBranchPoint } from '../../wire/git.ts';
import type { SessionRow } from '../../wire/records.ts';
import type { Worktree } from '../../wire/worktrees.ts';

/** One side of the comparison. */
export interface Compared {
  row: SessionRow;
  worktree: Worktree | undefined;
  changes: GitBranchPoint | undefined;
}
