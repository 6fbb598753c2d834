import { createWorktree, type NewWorktree, removeWorktree } from '../../wire/worktree-actions.ts';
import { readWorktreeBases, type Worktree } from '../../wire/worktrees.ts';
import { type FirstMessage, pullRequestNumber, type WorktreeChoice } from './choices.ts';
import type { Ready, Started } from './start-session.ts';
import { prepareWorktree } from './worktree-preparation.ts';

type Start = (choices: Ready, message: FirstMessage) => Promise<string>;

/**
 * Starts a session in each of as many new worktrees as tries were chosen. One that fails does not stop the others.
 * Throws when none started.
 */
export async function startInWorktrees(
  { path, worktree, ...choices }: Ready & { path: string; worktree: WorktreeChoice },
  message: FirstMessage,
  start: Start,
): Promise<Started> {
  const started: Started = { ids: [], failures: [] };
  const models = worktree.models.length > 0 ? worktree.models : [choices.model];
  const setup = await chosenSetup(path, worktree);
  for (const model of models) {
    for (let count = 0; count < worktree.tries; count += 1) {
      try {
        const made = await createWorktree({
          folder: path,
          ...originOf(worktree, message),
          ...(worktree.carriesChanges && { carriesChanges: true }),
          ...(worktree.localFiles.length > 0 && { localFiles: [...worktree.localFiles] }),
        });
        const id = await startIn(made, setup, () =>
          start({ ...choices, model, folder: { path: made.folder } }, message),
        );
        if (id === undefined) return started;
        started.ids.push(id);
      } catch (error) {
        started.failures.push({ model, error });
      }
    }
  }
  if (started.ids.length === 0 && started.failures[0]) throw started.failures[0].error;
  return started;
}

function originOf(
  { pullRequest, name, base }: WorktreeChoice,
  { assignment }: FirstMessage,
): Pick<NewWorktree, 'title' | 'base' | 'pullRequest'> {
  if (pullRequest !== undefined) return { pullRequest: pullRequestNumber(pullRequest) };
  return { title: name.trim() || assignment.slice(0, 10_000), ...(base && { base }) };
}

/** Undefined when no script is to run. */
async function chosenSetup(path: string, { setup }: WorktreeChoice): Promise<{ fingerprint?: string } | undefined> {
  if (setup === null) return undefined;
  if (setup !== undefined) return { fingerprint: setup };
  return (await readWorktreeBases(path)).setup?.isTrusted ? {} : undefined;
}

/** Undefined when the user gave up. */
async function startIn(
  made: Worktree,
  setup: { fingerprint?: string } | undefined,
  start: () => Promise<string>,
): Promise<string | undefined> {
  // It has only copies of what the folder has.
  const remove = () => removeWorktree(made.id, { isForced: true, deletesBranch: true }).catch(() => undefined);
  try {
    if (!setup || (await prepareWorktree(made, setup.fingerprint))) return await start();
  } catch (error) {
    await remove();
    throw error;
  }
  await remove();
  return undefined;
}
