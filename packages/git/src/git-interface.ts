import type { WriteViewState } from '@fucina/sandbox';
import type { SwitchedBranch } from './changing/branches.ts';
import type { MessageRequest, SuggestedMessage } from './changing/commit-message.ts';
import type { Committed } from './changing/commits.ts';
import type { DiscardedChanges } from './changing/discard.ts';
import type { StoredDiscard, UndoneDiscard } from './changing/discards.ts';
import type { HunkRequest } from './changing/hunks.ts';
import type { Staged } from './changing/staging.ts';
import type { CodeHost, PullRequests } from './code-host/code-host.ts';
import type { GitPrograms } from './programs/programs.ts';
import type { BranchPointChanges, BranchPointDiff } from './reading/branch-point.ts';
import type { DiffArea, FileDiff } from './reading/diff.ts';
import type { CommitRange, History, HistoryPlace, RangeChanges, RangeDiff } from './reading/history.ts';
import type { IndexSnapshot } from './reading/index-snapshot.ts';
import type { OngoingOperation } from './reading/ongoing.ts';
import type { RepositoryState } from './reading/status.ts';
import type { Branch } from './reading/upstream.ts';
import type { Pulled } from './remotes/pull.ts';
import type { Pushed } from './remotes/push.ts';
import type { Remote, SyncState } from './remotes/remotes.ts';
import type { Stash, StashChoice, Stashed } from './stashes/stashes.ts';
import type { GitWorktrees } from './worktrees/worktrees.ts';

export interface GitDetails {
  /** null when detached. */
  branch: string | null;
  isRepositoryRoot: boolean;
  /** Changed, staged, conflicting or untracked files inside the folder; a new folder counts once. */
  unsavedCount: number;
  /** Relative to the folder, at most three levels deep. */
  nestedRepositories: string[];
}

export interface BranchState {
  root: string;
  prefix: string;
  isRoot: boolean;
  /** Also before its first commit; null when detached. */
  branch: string | null;
  isDetached: boolean;
  ongoing: OngoingOperation | null;
}

/**
 * Reads a folder's repository. Each function takes the absolute folder first and throws GIT_NOT_A_REPOSITORY, NOT_FOUND
 * (the folder is missing), GIT_STORE_UNAVAILABLE (git is not installed), GIT_COMMAND_FAILED, GIT_TIMEOUT,
 * GIT_OUTPUT_TOO_LARGE, and the codes listed at it.
 */
export interface GitReading {
  state(folder: string): Promise<RepositoryState>;
  branch(folder: string): Promise<BranchState>;
  /** GIT_PATH_INVALID, GIT_PATH_UNCHANGED. */
  diff(folder: string, path: string, area: DiffArea): Promise<FileDiff>;
  /** GIT_COMMIT_UNKNOWN. */
  history(folder: string, at?: HistoryPlace): Promise<History>;
  /** GIT_COMMIT_INVALID, GIT_COMMIT_UNKNOWN. */
  changes(folder: string, range: CommitRange): Promise<RangeChanges>;
  /** GIT_COMMIT_INVALID, GIT_COMMIT_UNKNOWN, GIT_PATH_INVALID. */
  changesDiff(folder: string, file: CommitRange & { path: string; previous?: string }): Promise<RangeDiff>;
  /** GIT_BRANCH_NOT_FOUND, GIT_COMMIT_UNKNOWN. */
  branchPoint(folder: string, base?: string): Promise<BranchPointChanges>;
  /** GIT_COMMIT_INVALID, GIT_COMMIT_UNKNOWN, GIT_PATH_INVALID. */
  branchPointDiff(folder: string, file: { from: string; path: string; previous?: string }): Promise<BranchPointDiff>;
}

/**
 * Changes index and work tree. Calls are queued per repository, and a failure leaves index, files and stashes
 * unchanged. Codes as in GitReading; the others are listed at the functions behind them.
 */
export interface GitStaging {
  stage(folder: string, paths: readonly string[]): Promise<Staged>;
  /** Also files in conflict whose text has conflict markers. */
  stageWithMarkers(folder: string, paths: readonly string[]): Promise<Staged>;
  unstage(folder: string, paths: readonly string[]): Promise<Staged>;
  discard(folder: string, paths: readonly string[]): Promise<DiscardedChanges>;
  hunk(folder: string, request: HunkRequest): Promise<RepositoryState>;
  /** The newest first; those that can still be undone. */
  discards(folder: string): Promise<StoredDiscard[]>;
  undoDiscard(folder: string, id: string): Promise<UndoneDiscard>;
}

export interface GitCommits {
  paths(folder: string, paths: readonly string[], message: string): Promise<Committed & { paths: string[] }>;
  staged(folder: string, message: string, fingerprint: string): Promise<Committed>;
  amend(folder: string, change: { message: string; fingerprint: string; commit: string }): Promise<Committed>;
  undo(folder: string, commit: string): Promise<{ message: string; state: RepositoryState }>;
  suggest(folder: string, request: MessageRequest): Promise<SuggestedMessage>;
  init(folder: string, isConfirmed: boolean): Promise<{ branch: string; state: RepositoryState }>;
}

export interface GitBranches {
  list(folder: string): Promise<Branch[]>;
  switch(folder: string, name: string): Promise<SwitchedBranch>;
  create(folder: string, name: string): Promise<SwitchedBranch>;
  rename(folder: string, from: string, to: string): Promise<Branch[]>;
  delete(folder: string, name: string, isForced: boolean): Promise<Branch[]>;
}

export interface GitStashes {
  list(folder: string): Promise<Stash[]>;
  push(folder: string, options: { message?: string; hasNew: boolean }): Promise<Stashed>;
  pop(folder: string, choice: StashChoice): Promise<Stashed>;
  drop(folder: string, choice: StashChoice): Promise<Stash[]>;
}

export interface GitRemotes {
  list(folder: string): Promise<Remote[]>;
  sync(folder: string): Promise<SyncState>;
  /**
   * From the given remote, or from all (`remote` is then null). GIT_NO_REMOTE, GIT_REMOTE_UNKNOWN, GIT_FETCH_RUNNING,
   * GIT_ABORTED.
   */
  fetch(folder: string, remote?: string): Promise<{ remote: string | null; sync: SyncState }>;
  /** Stops the running fetch, also that of a pull; false when there is none. */
  stopFetch(folder: string): Promise<boolean>;
  /**
   * Pulls the upstream of the current branch. Codes of `bringIn`; GIT_PULL_FAILED also when the remote cannot be
   * reached or the fetch was stopped.
   */
  pull(folder: string): Promise<Pulled & { state: RepositoryState; sync: SyncState }>;
  /** Codes of `push`. */
  push(folder: string, remote?: string): Promise<Pushed & { sync: SyncState }>;
}

export interface Git {
  readonly reading: GitReading;
  readonly staging: GitStaging;
  readonly commits: GitCommits;
  readonly branches: GitBranches;
  readonly stashes: GitStashes;
  readonly remotes: GitRemotes;
  readonly programs: GitPrograms;
  readonly worktrees: GitWorktrees;
  readonly codeHost: CodeHost;
  readonly pulls: PullRequests;
  /**
   * A folder (absolute real path) in relation to its repository; undefined outside one, without git, or when git does
   * not answer within 4 s.
   */
  portrait(folder: string): Promise<GitDetails | undefined>;
  /** The current branch of a folder, null when there is none; reads a file or two and starts no process. */
  branchOf(folder: string): Promise<string | null>;
  /** Whether commands that write can change nothing but the repository. */
  viewState(): Promise<WriteViewState>;
  /** All functions of this interface, with spans that belong to this trace context. */
  within(traceparent: string | undefined): Git;
  /**
   * The files of a folder (absolute real path) as its index has them, kept in a file of ours at `index`; undefined outside a
   * repository or without git.
   */
  snapshot(folder: string, index: string): Promise<IndexSnapshot | undefined>;
  /** The work tree that contains a folder (absolute real path); undefined outside one. Starts no process. */
  workTreeOf(folder: string): Promise<WorkTree | undefined>;
}

export interface WorkTree {
  root: string;
  /** One value for all work trees of a repository. */
  repository: string;
}
