import type { WriteView } from '@fucina/sandbox';
import { type Ambient, createKeyedQueue, type Environment, isAppError, type KeyedQueue } from '@fucina/shared';
import { createBranch, deleteBranch, renameBranch, switchBranch } from './changing/branches.ts';
import { suggestMessage } from './changing/commit-message.ts';
import { amend, commitPaths, commitStaged, undoCommit } from './changing/commits.ts';
import { discard } from './changing/discard.ts';
import { readDiscards, undoDiscard } from './changing/discards.ts';
import { applyHunk } from './changing/hunks.ts';
import { initialise } from './changing/init.ts';
import { stage, unstage } from './changing/staging.ts';
import { type CodeHostNeeds, createCodeHost } from './code-host/code-host.ts';
import type { BranchState, Git, GitDetails, GitRemotes, GitStaging, WorkTree } from './git-interface.ts';
import type { HookSandbox } from './hooks/hook-process.ts';
import { type AtHooked, createHooks, type HookedFolder } from './hooks/hooks.ts';
import { filteredFiles } from './programs/filtered-files.ts';
import type { ProgramTrust } from './programs/program-trust.ts';
import { createPrograms } from './programs/programs.ts';
import { readBranchPoint, readBranchPointDiff } from './reading/branch-point.ts';
import { readDiff } from './reading/diff.ts';
import { readChanges, readHistory, readRangeDiff } from './reading/history.ts';
import { createIndexSnapshot } from './reading/index-snapshot.ts';
import { nestedRepositories } from './reading/nested.ts';
import { readOngoing } from './reading/ongoing.ts';
import { readState } from './reading/status.ts';
import { currentBranch, readBranches } from './reading/upstream.ts';
import { createFetches, fetchAll, fetchForPull, remotesToFetch } from './remotes/fetches.ts';
import { branchToPull, integrate, refuseMissingUpstream } from './remotes/pull.ts';
import { push } from './remotes/push.ts';
import { readRemotes, readSync, type SyncState } from './remotes/remotes.ts';
import { type GitFolder, openGitFolder } from './repository/git-folder.ts';
import { binary } from './repository/paths.ts';
import { commonDirOf, findRepository, type Repository, readBranch } from './repository/repository.ts';
import { createLauncher, type GitLauncher, succeeded } from './run/launcher.ts';
import { dropStash, popStash, readStashes, stashChanges } from './stashes/stashes.ts';
import { tracedGit } from './traced-git.ts';
import { createWorktrees } from './worktrees/worktrees.ts';

export type {
  BranchState,
  Git,
  GitBranches,
  GitCommits,
  GitDetails,
  GitReading,
  GitRemotes,
  GitStaging,
  GitStashes,
  WorkTree,
} from './git-interface.ts';

export interface GitNeeds {
  ambient: Ambient;
  /** The server's own environment: PATH, HOME and the like. */
  environment: Environment;
  gitPath?: string;
  /** The user's home: creating a repository that contains it needs confirmation. */
  homeDir?: string;
  /** Absolute folder for the worktrees that are made here; absent: none can be made. */
  worktreesDir?: string;
  /** The user's trust in programs of repositories; absent: none is trusted. */
  programTrust?: ProgramTrust;
  /** See `LauncherNeeds`. */
  writeView?: WriteView;
  /** Runs trusted hooks; absent: they run outside only. */
  hookSandbox?: HookSandbox;
  /** What is needed to install gh; absent: it cannot be installed. */
  install?: CodeHostNeeds['install'];
}

const PORTRAIT_MS = 4000;

export function createGit(needs: GitNeeds): Git {
  const git = createUntracedGit(needs);
  const { tracing } = needs.ambient;
  return tracing ? tracedGit(git, tracing) : git;
}

function createUntracedGit(needs: GitNeeds): Git {
  const launcher = createLauncher(needs);
  const hooks = createHooks(needs);
  const at = async <T>(folder: string, act: (place: HookedFolder) => Promise<T>): Promise<T> =>
    act({ ...(await openGitFolder(launcher, folder)), hooks });
  // One writer at a time per repository: git fails instead of waiting for its lock.
  const enqueue = createKeyedQueue();
  const codeHost = createCodeHost({ ...needs, at });
  const exclusively: AtHooked = (folder, act) =>
    at(folder, (place) => enqueue(place.repository.gitDir, () => act(place)));
  const git: Git = {
    reading: {
      state: (folder) => at(folder, readState),
      branch: (folder) => at(folder, readBranchState),
      diff: (folder, path, area) => at(folder, (place) => readDiff(place, path, area)),
      history: (folder, from) => at(folder, (place) => readHistory(place, from)),
      changes: (folder, range) => at(folder, (place) => readChanges(place, range)),
      changesDiff: (folder, file) => at(folder, (place) => readRangeDiff(place, file)),
      branchPoint: (folder, base) => at(folder, (place) => readBranchPoint(place, base)),
      branchPointDiff: (folder, file) => at(folder, (place) => readBranchPointDiff(place, file)),
    },
    staging: createStaging(at, exclusively),
    commits: {
      paths: (folder, paths, message) => exclusively(folder, (place) => commitPaths(place, paths, message)),
      staged: (folder, message, print) => exclusively(folder, (place) => commitStaged(place, message, print)),
      amend: (folder, change) => exclusively(folder, (place) => amend(place, change)),
      undo: (folder, commit) => exclusively(folder, (place) => undoCommit(place, commit)),
      suggest: (folder, request) => at(folder, (place) => suggestMessage(place, request)),
      init: (folder, isConfirmed) =>
        enqueue(folder, () => initialise(launcher, folder, { homeDir: needs.homeDir, isConfirmed })),
    },
    branches: {
      list: (folder) => at(folder, (place) => readBranches(place)),
      switch: (folder, name) => exclusively(folder, (place) => switchBranch(place, name)),
      create: (folder, name) => exclusively(folder, (place) => createBranch(place, name)),
      rename: (folder, from, to) => exclusively(folder, (place) => renameBranch(place, from, to)),
      delete: (folder, name, isForced) => exclusively(folder, (place) => deleteBranch(place, name, isForced)),
    },
    stashes: {
      list: (folder) => at(folder, readStashes),
      push: (folder, options) => exclusively(folder, (place) => stashChanges(place, options)),
      pop: (folder, choice) => exclusively(folder, (place) => popStash(place, choice)),
      drop: (folder, choice) => exclusively(folder, (place) => dropStash(place, choice)),
    },
    remotes: createRemotes(at, enqueue),
    programs: createPrograms(at, needs.programTrust),
    worktrees: createWorktrees({ ...needs, launcher, enqueue, hooks, dir: needs.worktreesDir }),
    codeHost: codeHost.host,
    pulls: codeHost.pulls,

    portrait: (folder) => readPortrait(launcher, folder, needs.ambient),
    branchOf: async (folder) => readBranch(await findRepository(folder)),

    snapshot: async (folder, index) => {
      if (!(await findRepository(folder)) || !(await launcher.isAvailable())) return undefined;
      return createIndexSnapshot(index, () => openGitFolder(launcher, folder));
    },
    workTreeOf,
    viewState: launcher.viewState,
    within: () => git,
  };
  return git;
}

async function workTreeOf(folder: string): Promise<WorkTree | undefined> {
  const found = await findRepository(folder);
  return found && { root: found.root, repository: await commonDirOf(found) };
}

function createStaging(at: AtHooked, exclusively: AtHooked): GitStaging {
  return {
    stage: (folder, paths) => exclusively(folder, (place) => stage(place, paths)),
    stageWithMarkers: (folder, paths) => exclusively(folder, (place) => stage(place, paths, { takesMarkers: true })),
    unstage: (folder, paths) => exclusively(folder, (place) => unstage(place, paths)),
    discard: (folder, paths) => exclusively(folder, (place) => discard(place, paths)),
    hunk: (folder, request) => exclusively(folder, (place) => applyHunk(place, request)),
    discards: (folder) => at(folder, readDiscards),
    undoDiscard: (folder, id) => exclusively(folder, (place) => undoDiscard(place, id)),
  };
}

function createRemotes(at: AtHooked, enqueue: KeyedQueue): GitRemotes {
  const fetches = createFetches();
  const syncOf = async (place: GitFolder): Promise<SyncState> =>
    readSync(place, fetches.isRunning(await commonDirOf(place.repository)));
  return {
    list: (folder) => at(folder, readRemotes),
    sync: (folder) => at(folder, syncOf),
    fetch: (folder, remote) =>
      at(folder, async (place) => {
        const names = await remotesToFetch(place, remote);
        const key = await commonDirOf(place.repository);
        await fetches.run(key, (signal) => fetchAll(place, names, signal));
        return { remote: remote ?? null, sync: await syncOf(place) };
      }),
    stopFetch: (folder) => at(folder, async (place) => fetches.stop(await commonDirOf(place.repository))),
    pull: (folder) =>
      at(folder, async (place) => {
        const { upstream } = await branchToPull(place);
        const key = await commonDirOf(place.repository);
        // Other writers need not wait for the network.
        if (upstream.remote !== '.')
          await fetches.runNext(key, async (signal) => {
            await fetchForPull(place, upstream.remote, signal);
            await refuseMissingUpstream(place);
          });
        const pulled = await enqueue(place.repository.gitDir, () => integrate(place));
        return { ...pulled, state: await readState(place), sync: await syncOf(place) };
      }),
    push: (folder, remote) =>
      at(folder, async (place) => {
        const pushed = await enqueue(`push ${place.repository.gitDir}`, () => push(place, remote));
        return { ...pushed, sync: await syncOf(place) };
      }),
  };
}

async function readBranchState(place: GitFolder): Promise<BranchState> {
  const branch = await currentBranch(place);
  return {
    root: place.repository.root,
    prefix: place.prefix,
    isRoot: place.prefix === '',
    branch: branch ?? null,
    isDetached: branch === undefined,
    ongoing: await readOngoing(place),
  };
}

async function readPortrait(
  launcher: GitLauncher,
  folder: string,
  { log }: Pick<Ambient, 'log'>,
): Promise<GitDetails | undefined> {
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
    log.warn('git.portrait-failed', { code: error.code, ...error.details });
    return undefined;
  }
}

async function countUnsaved(launcher: GitLauncher, folder: string, repository: Repository): Promise<number> {
  const git = await launcher.open(folder, repository, { timeoutMs: PORTRAIT_MS });
  // Submodules are not inspected: git would start another git there, with that repository's settings.
  const args = [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=normal',
    '--ignore-submodules=dirty',
    '--no-renames',
  ];
  const output = binary(succeeded(await git.run([...args, '--', '.'], { timeoutMs: PORTRAIT_MS }), args));
  const records = output.split('\0').filter((record) => /^[12u?] /.test(record));
  // `1 .M … path`: modified, unless a filter that is not trusted makes it look so.
  const modified = records
    .filter((record) => record.startsWith('1 .M '))
    .map((record) => record.split(' ').slice(8).join(' '));
  return records.length - (await filteredFiles({ git, repository }, modified)).size;
}
