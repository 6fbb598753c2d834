export type { Switched } from './branches.ts';
export type { Check, CheckState, Checks } from './code-host/checks.ts';
export type { CodeHost, HostStatus, PullRequests } from './code-host/code-host.ts';
export type { Release as CodeHostRelease } from './code-host/install.ts';
export type { PullRequest, PullState } from './code-host/pulls.ts';
export type { SignIn, SignInState } from './code-host/sign-in.ts';
export type { MessageRequest, SuggestedMessage } from './commit-message.ts';
export type { Committed } from './commits.ts';
export type { DiffArea, FileDiff } from './diff.ts';
export type { Discarded } from './discard.ts';
export { gitError } from './errors.ts';
export {
  type BranchState,
  createGit,
  type Git,
  type GitBranches,
  type GitCommits,
  type GitNeeds,
  type GitPortrait,
  type GitReading,
  type GitRemotes,
  type GitStaging,
  type GitStashes,
} from './git.ts';
export type { CommitRange, History, LoggedCommit, RangeChanges, RangeDiff } from './history.ts';
export type { HunkAction, HunkRequest } from './hunks.ts';
export type { Pulled } from './pull.ts';
export type { Pushed, PushedReference } from './push.ts';
export type { Remote, SyncState } from './remotes.ts';
export type { Staged } from './staging.ts';
export type { Stash, StashChoice, Stashed } from './stashes.ts';
export type { ChangedEntry, ChangeKind, CommitName, RepositoryState } from './status.ts';
export type { Branch, Upstream } from './upstream.ts';
