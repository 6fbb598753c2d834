export type { DiffArea, FileDiff } from './diff.ts';
export { gitError } from './errors.ts';
export { type BranchState, createGit, type Git, type GitNeeds, type GitPortrait, type GitReading } from './git.ts';
export type { CommitRange, History, LoggedCommit, RangeChanges, RangeDiff } from './history.ts';
export type { ChangedEntry, ChangeKind, CommitName, RepositoryState } from './status.ts';
