import { type Ambient, type Environment, isAppError } from '@fucina/shared';
import { type DiffArea, type FileDiff, readDiff } from './diff.ts';
import {
  type CommitRange,
  type History,
  type RangeChanges,
  type RangeDiff,
  readChanges,
  readHistory,
  readRangeDiff,
} from './history.ts';
import { createLauncher, type GitLauncher } from './launcher.ts';
import { nestedRepositories } from './nested.ts';
import { openPlace, type Place } from './place.ts';
import { findRepository, type Repository, readBranch } from './repository.ts';
import { type RepositoryState, readState } from './status.ts';
import { currentBranch } from './upstream.ts';

export interface GitPortrait {
  /** null when detached. */
  branch: string | null;
  isRepositoryRoot: boolean;
  /** Files changed, staged, conflicting or not tracked inside the folder; a new folder counts once. */
  unsavedCount: number;
  /** Relative to the folder, at most three levels down. */
  nestedRepositories: string[];
}

export interface BranchState {
  root: string;
  prefix: string;
  isRoot: boolean;
  /** Also before its first commit; null when detached. */
  branch: string | null;
  isDetached: boolean;
}

/**
 * What a folder's repository holds. Each takes the absolute folder first and throws GIT_NOT_A_REPOSITORY, NOT_FOUND (the
 * folder is gone), GIT_STORE_UNAVAILABLE (no git here), GIT_COMMAND_FAILED, GIT_TIMEOUT, GIT_OUTPUT_TOO_LARGE, and what is named.
 */
export interface GitReading {
  state(folder: string): Promise<RepositoryState>;
  branch(folder: string): Promise<BranchState>;
  /** GIT_PATH_INVALID, GIT_PATH_UNCHANGED. */
  diff(folder: string, path: string, area: DiffArea): Promise<FileDiff>;
  history(folder: string): Promise<History>;
  /** GIT_COMMIT_INVALID, GIT_COMMIT_UNKNOWN. */
  changes(folder: string, range: CommitRange): Promise<RangeChanges>;
  /** GIT_COMMIT_INVALID, GIT_COMMIT_UNKNOWN, GIT_PATH_INVALID. */
  changesDiff(folder: string, file: CommitRange & { path: string; previous?: string }): Promise<RangeDiff>;
}

export interface Git {
  readonly reading: GitReading;
  /** A folder (absolute real path) as its repository sees it; undefined outside one, without git, or when git does not answer in 4 s. */
  portrait(folder: string): Promise<GitPortrait | undefined>;
  /** The branch a folder is on, null when there is none; reads a file or two and starts nothing. */
  branchOf(folder: string): Promise<string | null>;
}

export interface GitNeeds {
  ambient: Ambient;
  /** The server's own environment: PATH, HOME and the like. */
  environment: Environment;
  gitPath?: string;
}

const PORTRAIT_MS = 4000;

export function createGit(needs: GitNeeds): Git {
  const launcher = createLauncher(needs);
  const at = async <T>(folder: string, act: (place: Place) => Promise<T>): Promise<T> =>
    act(await openPlace(launcher, folder));
  return {
    reading: {
      state: (folder) => at(folder, readState),
      branch: (folder) => at(folder, readBranchState),
      diff: (folder, path, area) => at(folder, (place) => readDiff(place, path, area)),
      history: (folder) => at(folder, readHistory),
      changes: (folder, range) => at(folder, (place) => readChanges(place, range)),
      changesDiff: (folder, file) => at(folder, (place) => readRangeDiff(place, file)),
    },

    async portrait(folder) {
      const repository = await findRepository(folder);
      if (!repository || !(await launcher.isAvailable())) return undefined;
      try {
        const [unsavedCount, branch, nested] = await Promise.all([
          countUnsaved(launcher, folder, repository),
          readBranch(repository),
          nestedRepositories(folder),
        ]);
        return { branch, isRepositoryRoot: repository.root === folder, unsavedCount, nestedRepositories: nested };
      } catch (error) {
        if (!isAppError(error)) throw error;
        needs.ambient.log.warn('git.portrait-failed', { code: error.code, ...error.details });
        return undefined;
      }
    },

    async branchOf(folder) {
      return readBranch(await findRepository(folder));
    },
  };
}

async function readBranchState(place: Place): Promise<BranchState> {
  const branch = await currentBranch(place);
  return {
    root: place.repository.root,
    prefix: place.prefix,
    isRoot: place.prefix === '',
    branch: branch ?? null,
    isDetached: branch === undefined,
  };
}

async function countUnsaved(launcher: GitLauncher, folder: string, repository: Repository): Promise<number> {
  const output = await launcher.read({
    folder,
    repository,
    // A submodule's own state is not asked for: git would start another git there, with that one's settings.
    args: [
      'status',
      '--porcelain=v2',
      '-z',
      '--untracked-files=normal',
      '--ignore-submodules=dirty',
      '--no-renames',
      '--',
      '.',
    ],
    timeoutMs: PORTRAIT_MS,
  });
  return output.split('\0').filter((record) => /^[12u?] /.test(record)).length;
}
