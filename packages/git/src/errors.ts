import { defineErrors, isAppError } from '@fucina/shared';

export const gitError = defineErrors(
  'GIT_ABORTED',
  'GIT_ALREADY_A_REPOSITORY',
  'GIT_BEHIND',
  'GIT_BRANCH_CURRENT',
  'GIT_BRANCH_EXISTS',
  'GIT_BRANCH_INVALID',
  'GIT_BRANCH_NOT_FOUND',
  'GIT_BRANCH_NOT_MERGED',
  'GIT_COMMAND_FAILED',
  'GIT_COMMIT_INVALID',
  'GIT_COMMIT_OUTSIDE',
  'GIT_COMMIT_PUSHED',
  'GIT_COMMIT_UNKNOWN',
  'GIT_CONFLICTS',
  'GIT_DETACHED',
  'GIT_DIFF_CHANGED',
  'GIT_FETCH_RUNNING',
  'GIT_HEAD_CHANGED',
  'GIT_HUNK_FAILED',
  'GIT_HUNK_INVALID',
  'GIT_HUNK_UNSUPPORTED',
  'GIT_INIT_NEEDS_CONFIRM',
  'GIT_MERGE_COMMIT',
  'GIT_MESSAGE_REQUIRED',
  'GIT_NESTED_REPO',
  'GIT_NOTHING_STAGED',
  'GIT_NOTHING_TO_COMMIT',
  'GIT_NOTHING_TO_DISCARD',
  'GIT_NOTHING_TO_STASH',
  'GIT_NOT_A_REPOSITORY',
  'GIT_NO_REMOTE',
  'GIT_NO_UPSTREAM',
  'GIT_OUTPUT_TOO_LARGE',
  'GIT_PATHS_REQUIRED',
  'GIT_PATH_INVALID',
  'GIT_PATH_UNCHANGED',
  'GIT_PULL_FAILED',
  'GIT_PUSH_REJECTED',
  'GIT_REMOTE_MISMATCH',
  'GIT_REMOTE_REQUIRED',
  'GIT_REMOTE_UNKNOWN',
  'GIT_STAGED_CHANGED',
  'GIT_STAGED_OUTSIDE',
  'GIT_STASH_CHANGED',
  'GIT_STASH_CONFLICT',
  'GIT_STASH_OUTSIDE',
  'GIT_STORE_UNAVAILABLE',
  'GIT_SWITCH_BLOCKED',
  'GIT_TIMEOUT',
  'GIT_UPSTREAM_GONE',
  'GIT_WORKTREE_DIFFERS',
  'GIT_WORKTREE_DIRTY',
  'NOT_FOUND',
);

/** Errors of the code host. */
export const hostError = defineErrors(
  'HOST_BASE_UNKNOWN',
  'HOST_BRANCH_NOT_PUSHED',
  'HOST_CHECKSUM_MISMATCH',
  'HOST_COMMAND_FAILED',
  'HOST_DOWNLOAD_FAILED',
  'HOST_EXTRACT_FAILED',
  'HOST_GIT_FAILED',
  'HOST_INPUT_INVALID',
  'HOST_LOGIN_FAILED',
  'HOST_NOT_INSTALLED',
  'HOST_NOT_LOGGED_IN',
  'HOST_NOT_ON_HOST',
  'HOST_OUTPUT_INVALID',
  'HOST_OUTPUT_TOO_LARGE',
  'HOST_STORE_UNAVAILABLE',
  'HOST_TIMEOUT',
  'HOST_UNSUPPORTED_PLATFORM',
  'NOT_FOUND',
);

/**
 * Rolls back a failed change and throws its cause; reason `not-put-back` when the rollback fails too, so that the
 * caller does not assume an unchanged state.
 */
export async function rollBack(error: unknown, undo: () => Promise<void>): Promise<never> {
  try {
    await undo();
  } catch (cause) {
    const details = { failure: isAppError(error) ? error.code : String(error) };
    throw gitError('GIT_COMMAND_FAILED', { reason: 'not-put-back', details, cause });
  }
  throw error;
}
