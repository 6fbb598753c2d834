import type { Ambient, KeyedQueue } from '@fucina/shared';
import { type UndoneDiscard, undoDiscard } from '../changing/discards.ts';
import { gitError } from '../errors.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { headOf, readEntries } from '../reading/status.ts';
import { currentBranch, readBranches } from '../reading/upstream.ts';
import { type GitFolder, openGitFolder } from '../repository/git-folder.ts';
import { commonDirOf } from '../repository/repository.ts';
import type { GitLauncher } from '../run/launcher.ts';
import { createWorktree, type NewWorktree } from './create.ts';
import { listLocalFiles } from './local-files.ts';
import { type MergedWorktree, mergeWorktree, openSides, takeFiles, type WorktreeMerge } from './merge.ts';
import { type PickedChanges, type PickedFile, pickChanges } from './pick.ts';
import { createWorktreeRecords, type WorktreeRecord } from './record.ts';
import { removeWorktree, type WorktreeRemoval } from './remove.ts';
import { readWorktree, type Worktree } from './status.ts';

/** What a new worktree of a folder's repository can start from. */
export interface WorktreeBases {
  /** null when detached. */
  current: string | null;
  /** False before the first commit: no worktree can be made then. */
  hasCommit: boolean;
  /** Uncommitted changes in the whole work tree, which can be carried along. */
  changedCount: number;
  /** Local branches, and remote ones, at most 300 of each. */
  local: string[];
  remote: string[];
  /** Ignored files that can be copied along: see `listLocalFiles`. */
  localFiles: string[];
}

/** The worktrees that Fucina made, each in its own folder below one place. Codes of git as in `GitReading`. */
export interface GitWorktrees {
  /** Oldest first; of the folder's repository, or of all. */
  list(folder?: string): Promise<Worktree[]>;
  /** NOT_FOUND. */
  read(id: string): Promise<Worktree>;
  /** Without its state; starts no process. NOT_FOUND. */
  record(id: string): Promise<WorktreeRecord>;
  bases(folder: string): Promise<WorktreeBases>;
  /** Codes of `createWorktree`. */
  create(folder: string, request: NewWorktree): Promise<Worktree>;
  /** NOT_FOUND and the codes of `removeWorktree`. */
  remove(id: string, removal?: WorktreeRemoval): Promise<void>;
  /** Into the branch of the folder it was made from. NOT_FOUND and the codes of `mergeWorktree`. */
  merge(id: string, merge?: WorktreeMerge): Promise<MergedWorktree>;
  /** Some of its files into that folder, uncommitted. NOT_FOUND and the codes of `takeFiles`. */
  takeFiles(id: string, paths: readonly string[]): Promise<string[]>;
  /**
   * Chosen changes of other work trees of the repository into the work tree of a folder. GIT_COMMIT_UNKNOWN for folders
   * of another repository, and the codes of `pickChanges`.
   */
  pick(folder: string, picks: readonly FolderPick[], options: { isRehearsal: boolean }): Promise<PickedChanges>;
  /** Codes of `undoDiscard`. */
  undoPick(folder: string, id: string): Promise<UndoneDiscard>;
  /** The worktree that contains a folder (absolute real path); starts no process. */
  at(folder: string): Promise<WorktreeRecord | undefined>;
}

/** What to take from the work tree of a folder; paths are relative to it. */
export interface FolderPick {
  folder: string;
  files: readonly PickedFile[];
}

export interface WorktreesNeeds {
  ambient: Ambient;
  launcher: GitLauncher;
  enqueue: KeyedQueue;
  hooks: Hooks;
  /** Absolute folder for all worktrees; without it there are none. */
  dir: string | undefined;
}

const MAX_BRANCHES = 300;

export function createWorktrees({ ambient, launcher, enqueue, hooks, dir }: WorktreesNeeds): GitWorktrees {
  const records = createWorktreeRecords(ambient, dir);
  const found = async (id: string): Promise<WorktreeRecord> => {
    const record = await records.find(id);
    if (!record) throw gitError('NOT_FOUND', { reason: 'worktree' });
    return record;
  };
  return {
    async list(folder) {
      const all = await records.all();
      if (folder === undefined) return Promise.all(all.map((record) => readWorktree(launcher, record)));
      const commonDir = await commonDirOf((await openGitFolder(launcher, folder)).repository);
      const own = all.filter((record) => record.commonDir === commonDir);
      return Promise.all(own.map((record) => readWorktree(launcher, record)));
    },
    read: async (id) => readWorktree(launcher, await found(id)),
    record: found,
    bases: async (folder) => readBases(await rootOf(launcher, folder)),
    async create(folder, request) {
      const place = await rootOf(launcher, folder);
      return readWorktree(launcher, await createWorktree({ ambient, launcher, enqueue, records }, place, request));
    },
    async remove(id, removal) {
      const record = await found(id);
      await enqueue(record.path, () => removeWorktree({ launcher, records }, record, removal));
    },
    async merge(id, merge = {}) {
      const sides = await openSides(launcher, await found(id), hooks);
      return enqueue(sides.target.repository.gitDir, () => mergeWorktree(sides, merge));
    },
    async takeFiles(id, paths) {
      const sides = await openSides(launcher, await found(id), hooks);
      return enqueue(sides.target.repository.gitDir, () => takeFiles(sides, paths));
    },
    async pick(folder, picks, options) {
      const target = await rootOf(launcher, folder);
      const commonDir = await commonDirOf(target.repository);
      const opened = await Promise.all(
        picks.map(async ({ folder: own, files }) => {
          const place = await openGitFolder(launcher, own);
          if ((await commonDirOf(place.repository)) !== commonDir)
            throw gitError('GIT_COMMIT_UNKNOWN', { reason: 'no-common-commit' });
          return { place, files };
        }),
      );
      return enqueue(target.repository.gitDir, () => pickChanges(target, opened, options));
    },
    async undoPick(folder, id) {
      const target = await rootOf(launcher, folder);
      return enqueue(target.repository.gitDir, () => undoDiscard(target, id));
    },
    at: (folder) => records.at(folder),
  };
}

/** The whole work tree, also for a folder inside it. */
async function rootOf(launcher: GitLauncher, folder: string): Promise<GitFolder> {
  const place = await openGitFolder(launcher, folder);
  return place.prefix === '' ? place : openGitFolder(launcher, place.repository.root);
}

async function readBases(place: GitFolder): Promise<WorktreeBases> {
  const [current, head, entries, local, localFiles] = await Promise.all([
    currentBranch(place),
    headOf(place.git),
    readEntries(place),
    readBranches(place),
    listLocalFiles(place),
  ]);
  const remote = await place.git.text(['for-each-ref', '--format=%(refname)%00%(symref)', 'refs/remotes']);
  return {
    current: current ?? null,
    hasCommit: head !== undefined,
    changedCount: entries.length,
    local: local.map(({ name }) => name).slice(0, MAX_BRANCHES),
    remote: remote
      .split('\n')
      .filter((row) => row.endsWith('\0'))
      .map((row) => row.slice('refs/remotes/'.length, -1))
      .slice(0, MAX_BRANCHES),
    localFiles,
  };
}
