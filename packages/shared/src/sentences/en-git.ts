import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const GIT_EN = {
  GIT_ABORTED: [
    'Operation stopped',
    'The Git operation was stopped before it ended.',
    'Start it again whenever you like.',
  ],
  GIT_ALREADY_A_REPOSITORY: [
    'Already a repository',
    'The folder is already part of a Git repository.',
    'Use the repository that is there, or choose another folder.',
  ],
  GIT_BEHIND: [
    'The remote is ahead',
    'The remote has commits that are not here yet.',
    'Pull from the remote, then push again.',
  ],
  GIT_BRANCH_CURRENT: [
    'This is the current branch',
    'The branch in use cannot be deleted.',
    'Switch to another branch and try again.',
  ],
  GIT_BRANCH_EXISTS: ['Branch already exists', 'A branch with this name is already there.', 'Choose another name.'],
  GIT_BRANCH_INVALID: [
    'Branch name not valid',
    'Git does not accept this name for a branch.',
    'Choose a name without spaces or special signs.',
  ],
  GIT_BRANCH_NOT_FOUND: [
    'Branch not found',
    'There is no branch with this name.',
    'Refresh the list of branches and choose again.',
  ],
  GIT_BRANCH_NOT_MERGED: [
    'Branch not merged yet',
    'The branch has commits that are nowhere else: deleting it would lose them.',
    'Merge the branch, or confirm that you want to delete it anyway.',
  ],
  GIT_COMMAND_FAILED: [
    'Git did not succeed',
    'Git did not complete the operation.',
    'Check that Git is installed and try again.',
  ],
  GIT_COMMIT_INVALID: [
    'Commit not named in full',
    'A commit has to be named by its full hash.',
    'Choose the commit from the list.',
  ],
  GIT_COMMIT_OUTSIDE: [
    'The commit reaches other folders',
    'The commit also changes files outside the session’s folder.',
    'Undo it from a session opened on the whole repository.',
  ],
  GIT_COMMIT_PUSHED: [
    'Commit already pushed',
    'The commit is already on the remote, so it is no longer changed here.',
    'Make a new commit with the correction.',
  ],
  GIT_COMMIT_UNKNOWN: [
    'Commit not found',
    'This commit is not in the repository.',
    'Refresh the history and choose again.',
  ],
  GIT_CONFLICTS: [
    'There are conflicts',
    'Some files have conflicts still to be resolved.',
    'Resolve the conflicts and try again.',
  ],
  GIT_DETACHED: [
    'No branch in use',
    'The repository is on a commit, not on a branch.',
    'Switch to a branch, or create one, and try again.',
  ],
  GIT_DIFF_AREA_INVALID: [
    'Area of changes not valid',
    'You can see the staged changes or the working ones; the choice received is a different one.',
    'Choose one of the two areas.',
  ],
  GIT_DIFF_CHANGED: [
    'The changes are no longer the same',
    'The file has changed since you looked at it.',
    'Refresh the changes and try again.',
  ],
  GIT_FETCH_RUNNING: [
    'Fetch already running',
    'Fucina is already fetching from the remote.',
    'Wait for it to finish, or stop it.',
  ],
  GIT_HEAD_CHANGED: [
    'The last commit has changed',
    'The last commit is no longer the one you were looking at.',
    'Refresh the history and try again.',
  ],
  GIT_HUNK_FAILED: [
    'Hunk not applied',
    'Git could not apply this hunk.',
    'Refresh the changes and try again, or act on the whole file.',
  ],
  GIT_HUNK_INVALID: [
    'Hunk not valid',
    'The hunk named is not there, or cannot be handled in the way asked.',
    'Choose the hunk from the changes shown.',
  ],
  GIT_HUNK_UNSUPPORTED: [
    'Change cannot be split into hunks',
    'This kind of change can only be handled as a whole.',
    'Act on the whole file.',
  ],
  GIT_INIT_NEEDS_CONFIRM: [
    'Confirmation needed',
    'The folder contains your home folder: the repository would include that too.',
    'Confirm if you really want it, or choose a smaller folder.',
  ],
  GIT_MERGE_COMMIT: [
    'This is a merge commit',
    'A commit that joins two branches cannot be undone from here.',
    'Undo it with Git in the terminal.',
  ],
  GIT_MESSAGE_REQUIRED: ['The message is missing', 'A commit needs a message.', 'Write the message and try again.'],
  GIT_NESTED_REPO: [
    'Another repository inside',
    'The chosen folder holds a repository of its own, which cannot be discarded from here.',
    'Open a session in that folder and act from there.',
  ],
  GIT_NOTHING_STAGED: [
    'Nothing staged',
    'There are no changes staged for the commit.',
    'Stage at least one file and try again.',
  ],
  GIT_NOTHING_TO_COMMIT: [
    'Nothing to commit',
    'There are no changes or commits to work on.',
    'Change something, then make the commit.',
  ],
  GIT_NOTHING_TO_DISCARD: [
    'Nothing to discard',
    'The chosen files have no changes to discard.',
    'Refresh the changes and choose again.',
  ],
  GIT_NOTHING_TO_STASH: [
    'Nothing to stash',
    'There are no changes to put in a stash.',
    'Carry on: the files are as in the last commit.',
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
    'Branch not connected',
    'The branch is not connected to a branch of the remote.',
    'Push the branch to the remote to connect it.',
  ],
  GIT_OUTPUT_TOO_LARGE: [
    'Git’s answer is too large',
    'Git produced more data than can be shown.',
    'Choose fewer files, or use Git in the terminal.',
  ],
  GIT_PATHS_REQUIRED: ['No file chosen', 'No file was named.', 'Choose at least one file and try again.'],
  GIT_PATH_INVALID: [
    'Path not valid',
    'The path is not inside the session’s folder, or is written in a way that is not allowed.',
    'Choose the file from the list of changes.',
  ],
  GIT_PATH_UNCHANGED: [
    'File without changes',
    'The chosen file has no changes to show.',
    'Refresh the list of changes.',
  ],
  GIT_PULL_FAILED: [
    'Pull did not succeed',
    'The news from the remote could not be brought in.',
    'Check the network and the access to the remote, then try again.',
  ],
  GIT_PUSH_REJECTED: [
    'Push rejected',
    'The remote did not accept the commits that were sent.',
    'Check that you may write to that branch, pull and try again.',
  ],
  GIT_REMOTE_MISMATCH: [
    'Different remote',
    'The remote chosen is not the one the branch is connected to.',
    'Choose the branch’s own remote and try again.',
  ],
  GIT_REMOTE_REQUIRED: [
    'A remote has to be chosen',
    'There are several remotes and none is named for the push.',
    'Choose a remote and try again.',
  ],
  GIT_REMOTE_UNKNOWN: [
    'Remote not known',
    'The repository has no remote with this name.',
    'Choose a remote from the list.',
  ],
  GIT_STAGED_CHANGED: [
    'The staged changes are different now',
    'The staged changes are no longer the ones you were looking at.',
    'Refresh the changes, check them again and retry.',
  ],
  GIT_STAGED_OUTSIDE: [
    'Staged changes outside the folder',
    'Some of the staged changes are in files outside the session’s folder.',
    'Unstage those files, or open a session on the whole repository.',
  ],
  GIT_STASH_CHANGED: [
    'The stash has changed',
    'The chosen stash is no longer the one you were looking at.',
    'Refresh the list of stashes and choose again.',
  ],
  GIT_STASH_CONFLICT: [
    'The stash conflicts',
    'The stashed changes conflict with the files as they are now.',
    'Commit or discard the changes in progress, then try again.',
  ],
  GIT_STASH_OUTSIDE: [
    'Stash outside the folder',
    'The stash holds files outside the session’s folder.',
    'Restore it from a session opened on the whole repository.',
  ],
  GIT_STORE_UNAVAILABLE: [
    'Git not available',
    'Fucina cannot use Git for this session right now.',
    'Try again shortly or restart Fucina.',
  ],
  GIT_SWITCH_BLOCKED: [
    'Switch blocked',
    'Switching to that branch would overwrite the changes in progress.',
    'Commit or stash the changes, then try again.',
  ],
  GIT_TIMEOUT: [
    'Git took too long',
    'The Git operation did not end in time and was stopped.',
    'Try again, or use Git in the terminal.',
  ],
  GIT_UPSTREAM_GONE: [
    'The remote branch is gone',
    'The remote branch this one was connected to has been deleted.',
    'Push the branch again, or switch to another.',
  ],
  GIT_WORKTREE_DIFFERS: [
    'File changed after staging',
    'A file changed after it was staged: the commit would hold something different.',
    'Stage the file again, or commit only what is staged.',
  ],
  GIT_WORKTREE_DIRTY: [
    'Changes in progress',
    'What comes from the remote touches files you have changed and not yet committed.',
    'Commit or stash the changes, then try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
