import { address, send } from '../../wire/call.ts';
import { createWorktree, removeWorktree, type Worktree } from '../../wire/worktrees.ts';
import { type Choices, type FirstMessage, type FolderChoice, requestOf } from './choices.ts';

export type Ready = Choices & { folder: FolderChoice };

/** Starts the session or, for several tries, one in each of as many worktrees; returns their ids. */
export async function startSessions(choices: Ready, message: FirstMessage): Promise<string[]> {
  const { folder, worktree } = choices;
  if (!worktree || !folder.path) return [await start(choices, message)];
  const ids: string[] = [];
  const models = worktree.models.length > 0 ? worktree.models : [choices.model];
  for (const model of models) {
    for (let count = 0; count < worktree.tries; count += 1) {
      const made = await createWorktree({
        cartella: folder.path,
        titolo: worktree.name.trim() || message.assignment.slice(0, 10_000),
        ...(worktree.base && { base: worktree.base }),
        ...(worktree.carriesChanges && { conModifiche: true }),
      });
      ids.push(await startIn(made, { ...choices, model }, message));
    }
  }
  return ids;
}

async function startIn(made: Worktree, choices: Ready, message: FirstMessage): Promise<string> {
  try {
    return await start({ ...choices, folder: { path: made.cartella } }, message);
  } catch (error) {
    // It has only copies of what the folder has.
    await removeWorktree(made.id, { isForced: true, deletesBranch: true }).catch(() => undefined);
    throw error;
  }
}

const start = async (choices: Ready, message: FirstMessage): Promise<string> =>
  (await send<{ sessionId: string }>(address(['sessions', 'custom']), requestOf(choices, message))).sessionId;
