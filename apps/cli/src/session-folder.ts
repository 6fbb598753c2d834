import type { Services, UsedWorktree } from '@fucina/host';
import type { Choices } from './choices.ts';
import { type SetupReporter, setUpWorktree } from './worktree-setup.ts';

export interface SessionFolder {
  folder: string;
  /** Undefined when the session works in the chosen folder itself. */
  worktree?: UsedWorktree;
  /** The worktree was made for this session. */
  isNew: boolean;
}

interface StartNeeds {
  services: Pick<Services, 'worktrees'>;
  task: string | undefined;
  reporter: SetupReporter;
}

/**
 * Starts a new session in the chosen folder, or in a worktree of its repository. A worktree with the given name is used
 * again; without a name it is made for this session, named after the task or from a pull request, and set up. A worktree that was made for a session
 * that did not start is removed again, with its branch.
 */
export async function startInFolder<Started>(
  choices: Pick<Choices, 'dir' | 'worktree'>,
  { services, task, reporter }: StartNeeds,
  start: (place: SessionFolder) => Promise<Started>,
): Promise<Started> {
  const place = await sessionFolder(choices, services, task);
  try {
    if (place.isNew && place.worktree) await setUpWorktree(place.worktree, services, reporter);
    return await start(place);
  } catch (error) {
    if (place.isNew) await services.worktrees.release(place.folder);
    throw error;
  }
}

async function sessionFolder(
  { dir, worktree }: Pick<Choices, 'dir' | 'worktree'>,
  { worktrees }: Pick<Services, 'worktrees'>,
  task: string | undefined,
): Promise<SessionFolder> {
  if (worktree === undefined) return { folder: dir, isNew: false };
  const { name, pullRequest, copiesLocalFiles } = worktree;
  const known =
    name === undefined
      ? undefined
      : (await worktrees.list({ path: dir })).find((one) => one.name === name && one.state !== null);
  const { localFiles } = !known && copiesLocalFiles ? await worktrees.bases({ path: dir }) : { localFiles: [] };
  const origin = pullRequest === undefined ? { title: name ?? task } : { pullRequest };
  const used = known ?? (await worktrees.create({ path: dir, ...origin, localFiles }));
  return { folder: used.folder, worktree: used, isNew: known === undefined };
}
