import { dirname, isAbsolute, join } from 'node:path';
import { type OpenView, ViewRefused, type WriteView } from '@fucina/sandbox';
import { realPathAt } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { commonDirOf, type Repository } from '../repository/repository.ts';

/** Commands that write in the git folder or the work tree. */
const WRITERS: ReadonlySet<string | undefined> = new Set(
  (
    'add apply branch commit commit-tree fetch init merge merge-tree push read-tree rebase reset restore rm stash switch ' +
    'update-index update-ref worktree write-tree'
  ).split(' '),
);

/** Those of them that write files of the work tree, and none of the settings. */
const FILE_WRITERS: ReadonlySet<string | undefined> = new Set(
  'apply merge read-tree rebase reset restore rm stash switch'.split(' '),
);

/** Parts of the git folder from which git or others run something. */
const RUN_OR_SET = ['config', 'config.worktree', 'hooks', 'modules'];

/** A file that is only announced for an index of our own writes nothing in the git folder. */
export const writes = (args: readonly string[]): boolean => WRITERS.has(args[0]) && !args.includes('--intent-to-add');

export interface WritingCommand {
  args: readonly string[];
  /** Absolute folder that git starts in. */
  folder: string;
  /** Absent for a command that makes one in the folder. */
  repository: Repository | undefined;
  /** Parts of other git folders to which links of this one lead. */
  shared: readonly string[];
  /** Further absolute real paths, as the caller knows them. */
  writes: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  starts: 'nothing' | 'programs' | 'helpers';
}

/** The view in which this command runs; undefined where there is none. Throws GIT_COMMAND_FAILED (`folder-replaced`). */
export async function openView(view: WriteView, command: WritingCommand): Promise<OpenView | undefined> {
  const { args, folder, repository, shared, starts } = command;
  const folders = repository ? [...new Set([repository.gitDir, await commonDirOf(repository)])] : [];
  // Of a copied index, and of objects that nobody needs later.
  const { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects } = command.environment;
  const own = [index && dirname(index), objects].flatMap(
    (path) => (path && isAbsolute(path) && realPathAt(path)) || [],
  );
  const closed = FILE_WRITERS.has(args[0]) ? RUN_OR_SET : [];
  try {
    return await view.open({
      folder,
      writable: [repository?.root ?? folder, ...folders, ...shared, ...own, ...command.writes],
      unchanged: folders.flatMap((parent) => closed.map((name) => join(parent, name))),
      starts,
    });
  } catch (cause) {
    if (cause instanceof ViewRefused) throw gitError('GIT_COMMAND_FAILED', { reason: 'folder-replaced', cause });
    throw cause;
  }
}
