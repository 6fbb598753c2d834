import { api } from '../../wire/client.ts';
import { loadChunk } from '../../wire/load-chunk.ts';
import { type Choices, type FirstMessage, type FolderChoice, requestOf } from './choices.ts';

export type Ready = Choices & { folder: FolderChoice };

export interface Started {
  /** Empty when the user gave up. */
  ids: string[];
  /** The tries that did not start. */
  failures: { model: string; error: unknown }[];
}

/** Starts the session or, for several tries, one in each of as many worktrees. */
export async function startSessions(choices: Ready, message: FirstMessage): Promise<Started> {
  const { folder, worktree } = choices;
  if (!worktree || !folder.path) return { ids: [await start(choices, message)], failures: [] };
  const { startInWorktrees } = await loadChunk(() => import('./start-in-worktrees.ts'));
  return startInWorktrees({ ...choices, path: folder.path, worktree }, message, start);
}

const start = async (choices: Ready, message: FirstMessage): Promise<string> =>
  (await api.post('/sessions/custom', { body: requestOf(choices, message) })).sessionId;
