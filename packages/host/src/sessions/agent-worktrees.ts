import type { Git } from '@fucina/git';
import type { Isolation } from '@fucina/sessions';
import { textStart } from '@fucina/shared';
import { sameFolderIn } from './worktree-control.ts';

const TITLE_LENGTH = 200;

/** Worktrees for sub-agents that work apart from the folder of their session. */
export function createAgentWorktrees(git: () => Pick<Git, 'worktrees' | 'within'>): Isolation {
  return {
    async open(folder, task, traceparent) {
      const made = await git()
        .within(traceparent)
        .worktrees.create(folder, { title: textStart(task, TITLE_LENGTH) });
      return { folder: await sameFolderIn(made, folder), branch: made.state?.branch ?? null };
    },
    async removeUnchanged(folder) {
      const { worktrees } = git();
      const record = await worktrees.at(folder);
      if (record === undefined) return false;
      const { state } = await worktrees.read(record.id);
      if (state === null || state.changedCount > 0 || state.unmergedCount > 0) return false;
      await worktrees.remove(record.id, { deletesBranch: record.ownsBranch });
      return true;
    },
  };
}
