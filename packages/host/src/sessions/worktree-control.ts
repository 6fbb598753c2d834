import { realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Files } from '@fucina/files';
import type {
  Git,
  MergedWorktree,
  NewWorktree,
  PickedChanges,
  PickedFile,
  UndoneDiscard,
  Worktree,
  WorktreeBases,
  WorktreeMerge,
  WorktreeRemoval,
} from '@fucina/git';
import type { SessionRow, Sessions } from '@fucina/sessions';
import { type Ambient, AppError, isAppError, isWithin } from '@fucina/shared';
import { folderOfPlace, type Place } from './place-folder.ts';
import type { SessionResolver } from './session-resolver.ts';
import type { SetupScript, WorktreeSetups } from './worktree-setup.ts';

export type { MergedWorktree, NewWorktree, WorktreeMerge, WorktreeRemoval } from '@fucina/git';

/** A worktree and who works in it. */
export interface UsedWorktree extends Worktree {
  /** Where a session works in it: its root, or the subfolder that the worktree was asked for. */
  folder: string;
  /** The sessions in it; of sub-agents those whose session works elsewhere. */
  sessionIds: string[];
}

/** What a new worktree can start from, and the script that prepares it. */
export interface WorktreeStart extends WorktreeBases {
  /** Of the place's own work tree. */
  setup: SetupScript | null;
}

/** Worktrees of a project's repository. Codes of `GitWorktrees`, and those of `folderOfPlace` for a place. */
export interface WorktreeControl {
  /** Of the place's repository, or all. */
  list(place: Place): Promise<UsedWorktree[]>;
  read(id: string): Promise<UsedWorktree>;
  bases(place: Place): Promise<WorktreeStart>;
  create(request: NewWorktree & Place): Promise<UsedWorktree>;
  setup: Pick<WorktreeSetups, 'read' | 'start' | 'stop'>;
  /** SESSION_STILL_RUNNING while a turn runs in it. Ends its set-up. */
  remove(id: string, removal: WorktreeRemoval): Promise<void>;
  /** SESSION_STILL_RUNNING while a turn runs in the worktree: its files still change. */
  merge(id: string, merge: WorktreeMerge): Promise<MergedWorktree>;
  takeFiles(id: string, paths: readonly string[]): Promise<string[]>;
  /** Chosen changes of sessions into a folder; also while they, or one in that folder, run. */
  pick(target: Place, choices: readonly SessionPick[], options: { isRehearsal: boolean }): Promise<PickedFromSessions>;
  undoPick(target: Place, id: string): Promise<UndoneDiscard>;
  /**
   * After a session of this folder was deleted: removes the worktree that it was the last one in, with the branch made
   * for it, if nothing would be lost. Never rejects.
   */
  release(folder: string): Promise<void>;
}

/** What to take from one session: a file, or hunks of it, with paths relative to its folder. */
export interface SessionPick extends PickedFile {
  sessionId: string;
}

export interface PickedFromSessions extends Omit<PickedChanges, 'conflicts'> {
  conflicts: { sessionId: string; path: string }[];
}

export interface WorktreeControlNeeds {
  ambient: Ambient;
  git(): Pick<Git, 'worktrees'>;
  files(): Files;
  sessions(): Pick<Sessions, 'list'>;
  resolver: SessionResolver;
  setups: WorktreeSetups;
}

export function createWorktreeControl(needs: WorktreeControlNeeds): WorktreeControl {
  const worktrees = (): Git['worktrees'] => needs.git().worktrees;
  const sessionsIn = async ({ path }: Pick<Worktree, 'path'>): Promise<SessionRow[]> =>
    (await needs.sessions().list()).filter(({ header }) => isWithin(path, header.folder));
  const used = async (worktree: Worktree, folder = worktree.path): Promise<UsedWorktree> => {
    const headers = (await sessionsIn(worktree)).map(({ header }) => header);
    const ids = new Set(headers.map(({ sessionId }) => sessionId));
    const own = headers.filter(({ parentId }) => parentId === null || !ids.has(parentId));
    return { ...worktree, folder, sessionIds: own.map(({ sessionId }) => sessionId) };
  };
  const refuseRunning = async (id: string): Promise<void> => {
    const rows = await sessionsIn(await worktrees().read(id));
    if (rows.some((row) => !row.isConcluded && !row.isInterrupted)) throw new AppError('SESSION_STILL_RUNNING');
  };

  return {
    async list(place) {
      const folder = await folderOfPlace(needs, place);
      return Promise.all((await worktrees().list(folder)).map((one) => used(one)));
    },
    read: async (id) => used(await worktrees().read(id)),
    async bases(place) {
      const folder = await placeFolder(needs, place);
      const [bases, setup] = await Promise.all([worktrees().bases(folder), needs.setups.scriptAt(folder)]);
      return { ...bases, setup };
    },
    setup: needs.setups,
    async create({ sessionId, path, ...request }) {
      const folder = await placeFolder(needs, { sessionId, path });
      const made = await worktrees().create(folder, request);
      return used(made, await sameFolderIn(made, folder));
    },
    async remove(id, removal) {
      await refuseRunning(id);
      await needs.setups.stop(id);
      await worktrees().remove(id, removal);
      needs.setups.forget(id);
    },
    async merge(id, merge) {
      await refuseRunning(id);
      return worktrees().merge(id, merge);
    },
    takeFiles: (id, paths) => worktrees().takeFiles(id, paths),
    async pick(target, choices, options) {
      const folder = await placeFolder(needs, target);
      const ids = [...new Set(choices.map(({ sessionId }) => sessionId))];
      const picks = await Promise.all(
        ids.map(async (id) => ({
          folder: (await needs.resolver.resolve(id)).folder,
          files: choices.filter(({ sessionId }) => sessionId === id),
        })),
      );
      const { conflicts, ...picked } = await worktrees().pick(folder, picks, options);
      return { ...picked, conflicts: conflicts.map(({ pick, path }) => ({ sessionId: ids[pick] ?? '', path })) };
    },
    undoPick: async (target, id) => worktrees().undoPick(await placeFolder(needs, target), id),
    async release(folder) {
      try {
        const record = await worktrees().at(folder);
        if (record === undefined || (await sessionsIn(record)).length > 0) return;
        const { state } = await worktrees().read(record.id);
        await needs.setups.stop(record.id);
        const isSpare = state !== null && state.changedCount === 0 && state.unmergedCount === 0;
        if (!isSpare) return;
        await worktrees().remove(record.id, { deletesBranch: record.ownsBranch });
        needs.setups.forget(record.id);
      } catch (error) {
        const code = isAppError(error) ? error.code : undefined;
        needs.ambient.log.warn('worktree.not-released', { code, error });
      }
    },
  };
}

/** QUERY_INVALID without a place. */
async function placeFolder(needs: WorktreeControlNeeds, place: Place): Promise<string> {
  const folder = await folderOfPlace(needs, place);
  if (folder === undefined) throw new AppError('QUERY_INVALID', { reason: 'place-missing' });
  return folder;
}

/** The folder at the same place in the worktree; its root, if the commit does not have that folder. */
export async function sameFolderIn({ path, source }: Worktree, folder: string): Promise<string> {
  const real = await realpath(folder);
  const same = isWithin(source, real) ? join(path, relative(source, real)) : path;
  const found = await stat(same).catch(() => undefined);
  return found?.isDirectory() ? same : path;
}
