import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const GIT_EN = {
  GIT_ABORTED: [
    'Git operation stopped',
    'The Git operation was stopped before it finished.',
    'Run it again when you want.',
  ],
  GIT_ALREADY_A_REPOSITORY: [
    'Already a repository',
    'The folder is already part of a Git repository.',
    'Use the existing repository, or choose another folder.',
  ],
  GIT_BEHIND: ['The remote is ahead', 'The remote has commits that you do not have locally.', 'Pull, then push again.'],
  GIT_BRANCH_CURRENT: [
    'This is the current branch',
    'The current branch cannot be deleted.',
    'Switch to another branch and try again.',
  ],
  GIT_BRANCH_EXISTS: ['Branch already exists', 'A branch with this name already exists.', 'Choose another name.'],
  GIT_BRANCH_INVALID: [
    'Invalid branch name',
    'Git does not accept this name for a branch.',
    'Choose a name without spaces or special characters.',
  ],
  GIT_BRANCH_NOT_FOUND: [
    'Branch not found',
    'There is no branch with this name.',
    'Refresh the list of branches and choose again.',
  ],
  GIT_BRANCH_NOT_MERGED: [
    'Branch not fully merged',
    'The branch has commits that exist nowhere else. Deleting it would lose them.',
    'Merge the branch, or confirm to delete it anyway.',
  ],
  GIT_COMMAND_FAILED: [
    'Git command failed',
    'Git could not complete the operation.',
    'Check that Git is installed and try again.',
  ],
  GIT_COMMIT_INVALID: [
    'Full commit hash required',
    'Commits must be given by their full hash.',
    'Choose the commit from the list.',
  ],
  GIT_COMMIT_OUTSIDE: [
    'Commit includes other folders',
    'The commit also changes files outside the session’s folder.',
    'Undo it from a session that has the whole repository open.',
  ],
  GIT_COMMIT_PUSHED: [
    'Commit already pushed',
    'The commit is already on the remote, so it cannot be changed here.',
    'Create a new commit with the fix.',
  ],
  GIT_COMMIT_UNKNOWN: [
    'Commit not found',
    'This commit is not in the repository.',
    'Refresh the history and choose again.',
  ],
  GIT_CONFLICTS: [
    'Conflicts to resolve',
    'Some files have unresolved conflicts.',
    'Resolve the conflicts and try again.',
  ],
  GIT_DETACHED: [
    'Detached HEAD',
    'The repository has a commit checked out, not a branch.',
    'Switch to a branch, or create one, and try again.',
  ],
  GIT_DIFF_AREA_INVALID: [
    'Invalid change area',
    'Changes can be shown as staged or unstaged; the request asked for something else.',
    'Choose staged or unstaged changes.',
  ],
  GIT_DIFF_CHANGED: [
    'Changes are out of date',
    'The file has changed since the diff was loaded.',
    'Refresh the changes and try again.',
  ],
  GIT_FETCH_RUNNING: [
    'Fetch already running',
    'Fucina is already fetching from the remote.',
    'Wait for it to finish, or stop it.',
  ],
  GIT_HEAD_CHANGED: [
    'The last commit has changed',
    'The last commit is no longer the one shown.',
    'Refresh the history and try again.',
  ],
  GIT_HUNK_FAILED: [
    'Hunk not applied',
    'Git could not apply this hunk.',
    'Refresh the changes and try again, or use the whole file.',
  ],
  GIT_HUNK_INVALID: [
    'Invalid hunk',
    'The hunk does not exist, or does not support this action.',
    'Choose a hunk from the diff shown.',
  ],
  GIT_HUNK_UNSUPPORTED: [
    'Change cannot be split into hunks',
    'This kind of change cannot be staged or discarded in parts.',
    'Use the whole file.',
  ],
  GIT_INIT_NEEDS_CONFIRM: [
    'Confirmation needed',
    'The folder contains your home folder, which would become part of the repository.',
    'Confirm to continue, or choose a smaller folder.',
  ],
  GIT_MERGE_COMMIT: [
    'This is a merge commit',
    'Merge commits cannot be undone from here.',
    'Undo it with Git in the terminal.',
  ],
  GIT_MESSAGE_REQUIRED: ['Commit message required', 'A commit needs a message.', 'Enter a message and try again.'],
  GIT_NESTED_REPO: [
    'Nested repository',
    'The folder contains its own repository, which cannot be discarded from here.',
    'Open a session in that folder and discard it there.',
  ],
  GIT_NOTHING_STAGED: [
    'Nothing staged',
    'There are no staged changes to commit.',
    'Stage at least one file and try again.',
  ],
  GIT_NOTHING_TO_COMMIT: ['Nothing to commit', 'There are no changes to commit.', 'Change something, then commit.'],
  GIT_NOTHING_TO_DISCARD: [
    'Nothing to discard',
    'The chosen files have no changes to discard.',
    'Refresh the changes and choose again.',
  ],
  GIT_NOTHING_TO_STASH: [
    'Nothing to stash',
    'There are no changes to stash.',
    'You can continue: the working tree is clean.',
  ],
  GIT_NOT_A_REPOSITORY: [
    'Not a repository',
    'The session’s folder is not in a Git repository.',
    'Create a repository in this folder, or choose another one.',
  ],
  GIT_NO_REMOTE: [
    'No remote',
    'The repository has no remote to push to.',
    'Add a remote in the terminal and try again.',
  ],
  GIT_NO_UPSTREAM: [
    'No upstream branch',
    'The branch does not track a remote branch.',
    'Push the branch to set its upstream.',
  ],
  GIT_OUTPUT_TOO_LARGE: [
    'Git output too large',
    'Git produced more output than can be shown.',
    'Choose fewer files, or use Git in the terminal.',
  ],
  GIT_PATHS_REQUIRED: ['No files selected', 'No files were selected.', 'Select at least one file and try again.'],
  GIT_PATH_INVALID: [
    'Invalid path',
    'The path is outside the session’s folder, or contains characters that are not allowed.',
    'Choose the file from the list of changes.',
  ],
  GIT_PATH_UNCHANGED: [
    'No changes in this file',
    'The chosen file has no changes to show.',
    'Refresh the list of changes.',
  ],
  GIT_PULL_FAILED: [
    'Pull failed',
    'Git could not pull the commits from the remote.',
    'Check the network and your access to the remote, then try again.',
  ],
  GIT_PUSH_REJECTED: [
    'Push rejected',
    'The remote did not accept the commits.',
    'Check that you have write access to that branch, pull and try again.',
  ],
  GIT_REMOTE_MISMATCH: [
    'Remote does not match',
    'The branch tracks another remote.',
    'Choose the remote that the branch tracks and try again.',
  ],
  GIT_REMOTE_REQUIRED: [
    'Choose a remote',
    'There are several remotes and the push does not name one.',
    'Choose a remote and try again.',
  ],
  GIT_REMOTE_UNKNOWN: [
    'Remote not found',
    'The repository has no remote with this name.',
    'Choose a remote from the list.',
  ],
  GIT_STAGED_CHANGED: [
    'Staged changes are out of date',
    'The staged changes have changed since they were loaded.',
    'Refresh the changes, review them and try again.',
  ],
  GIT_STAGED_OUTSIDE: [
    'Staged changes outside the folder',
    'Some staged files are outside the session’s folder.',
    'Unstage those files, or open a session on the whole repository.',
  ],
  GIT_STASH_CHANGED: [
    'The stash has changed',
    'The stash is no longer the one shown.',
    'Refresh the list of stashes and choose again.',
  ],
  GIT_STASH_CONFLICT: [
    'Stash has conflicts',
    'The stashed changes conflict with the current files.',
    'Commit or discard your changes, then try again.',
  ],
  GIT_STASH_OUTSIDE: [
    'Stash outside the folder',
    'The stash contains files outside the session’s folder.',
    'Apply it from a session that has the whole repository open.',
  ],
  GIT_STORE_UNAVAILABLE: [
    'Git not available',
    'Fucina cannot use Git for this session right now.',
    'Try again shortly or restart Fucina.',
  ],
  GIT_SWITCH_BLOCKED: [
    'Cannot switch branch',
    'Switching to that branch would overwrite your uncommitted changes.',
    'Commit or stash the changes, then try again.',
  ],
  GIT_TIMEOUT: [
    'Git timed out',
    'The Git operation did not finish in time and was stopped.',
    'Try again, or use Git in the terminal.',
  ],
  GIT_UPSTREAM_GONE: [
    'The remote branch is gone',
    'The remote branch that this branch tracks was deleted.',
    'Push the branch again, or switch to another.',
  ],
  GIT_WORKTREE_DIFFERS: [
    'File changed after staging',
    'A file changed after it was staged, so the commit would not match what you see.',
    'Stage the file again, or commit only what is staged.',
  ],
  GIT_WORKTREE_DIRTY: [
    'Uncommitted changes',
    'The pull would overwrite files with uncommitted changes.',
    'Commit or stash the changes, then try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
