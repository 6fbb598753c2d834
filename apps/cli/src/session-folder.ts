import type { Services, UsedWorktree } from '@fucina/host';
import type { Choices } from './choices.ts';

export interface SessionFolder {
  folder: string;
  /** Undefined when the session works in the chosen folder itself. */
  worktree?: UsedWorktree;
}

/**
 * Where a new session works: the chosen folder, or a worktree of its repository. A worktree with the given name is used
 * again; without a name it is made for this session and named after the task.
 */
export async function sessionFolder(
  { dir, worktree }: Pick<Choices, 'dir' | 'worktree'>,
  { worktrees }: Pick<Services, 'worktrees'>,
  task: string | undefined,
): Promise<SessionFolder> {
  if (worktree === undefined) return { folder: dir };
  const { name } = worktree;
  const known =
    name === undefined
      ? undefined
      : (await worktrees.list({ path: dir })).find((one) => one.name === name && one.state !== null);
  const used = known ?? (await worktrees.create({ path: dir, title: name ?? task }));
  return { folder: used.folder, worktree: used };
}
