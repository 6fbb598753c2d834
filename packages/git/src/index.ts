export type { SwitchedBranch } from './changing/branches.ts';
export type { MessageRequest, SuggestedMessage } from './changing/commit-message.ts';
export type { Committed } from './changing/commits.ts';
export type { DiscardedChanges } from './changing/discard.ts';
export type { StoredDiscard, UndoneDiscard } from './changing/discards.ts';
export type { HunkAction, HunkRequest } from './changing/hunks.ts';
export type { Staged } from './changing/staging.ts';
export type { Check, CheckState, Checks } from './code-host/checks.ts';
export type { CodeHost, HostStatus, PullRequests } from './code-host/code-host.ts';
export type { Release as CodeHostRelease } from './code-host/install.ts';
export type { PullRequest, PullState } from './code-host/pulls.ts';
export type { SignIn, SignInState } from './code-host/sign-in.ts';
export { gitError } from './errors.ts';
export {
  type BranchState,
  createGit,
  type Git,
  type GitBranches,
  type GitCommits,
  type GitDetails,
  type GitNeeds,
  type GitReading,
  type GitRemotes,
  type GitStaging,
  type GitStashes,
  type WorkTree,
} from './git.ts';
export type { HookFile } from './hooks/hook-files.ts';
export type { HookSandbox, RefusedAccess, SandboxedHook } from './hooks/hook-process.ts';
export type { HookRun } from './hooks/hook-runs.ts';
export type { HookTrust } from './hooks/hook-trust.ts';
export type { HookChoice, HookState } from './hooks/hooks.ts';
export type { ProgramTrust, RepositoryProgram } from './programs/program-trust.ts';
export type { GitPrograms, RepositoryPrograms, TrustedFilter } from './programs/programs.ts';
export type { BranchPointChanges, BranchPointDiff, CountedFile } from './reading/branch-point.ts';
export type { DiffArea, FileDiff } from './reading/diff.ts';
export type { CommitRange, History, LoggedCommit, RangeChanges, RangeDiff } from './reading/history.ts';
export type { DifferingFiles, IndexedFile, IndexSnapshot } from './reading/index-snapshot.ts';
export type { ChangedEntry, ChangeKind, CommitName, RepositoryState } from './reading/status.ts';
export type { Branch, Upstream } from './reading/upstream.ts';
export type { Pulled } from './remotes/pull.ts';
export type { Pushed, PushedReference } from './remotes/push.ts';
export type { Remote, SyncState } from './remotes/remotes.ts';
export type { FilterState, RepositoryFilter } from './run/filters.ts';
export type { Stash, StashChoice, Stashed } from './stashes/stashes.ts';
export type { NewWorktree } from './worktrees/create.ts';
export type { MergedWorktree, WorktreeMerge } from './worktrees/merge.ts';
export type { PickedChanges, PickedFile } from './worktrees/pick.ts';
export type { WorktreeRecord } from './worktrees/record.ts';
export type { WorktreeRemoval } from './worktrees/remove.ts';
export type { Worktree, WorktreeState } from './worktrees/status.ts';
export type { GitWorktrees, WorktreeBases } from './worktrees/worktrees.ts';
