import { type Ambient, type Environment, isAppError } from '@fucina/shared';
import { createLauncher, type GitLauncher } from './launcher.ts';
import { nestedRepositories } from './nested.ts';
import { findRepository, type Repository, readBranch } from './repository.ts';

export interface GitPortrait {
  /** null when detached. */
  branch: string | null;
  isRepositoryRoot: boolean;
  /** Files changed, staged, conflicting or not tracked inside the folder; a new folder counts once. */
  unsavedCount: number;
  /** Relative to the folder, at most three levels down. */
  nestedRepositories: string[];
}

export interface Git {
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
  return {
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
