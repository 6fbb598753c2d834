import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HOST_EN = {
  HOST_BASE_UNKNOWN: [
    'Base branch not found',
    'The base branch of the pull request is not on the code host.',
    'Choose another base branch.',
  ],
  HOST_BRANCH_NOT_PUSHED: [
    'Branch not pushed yet',
    'The code host does not have this branch yet.',
    'Push the branch to the remote and try again.',
  ],
  HOST_CHECKSUM_MISMATCH: [
    'Checksum mismatch',
    'The downloaded program does not match its expected checksum, so it was not installed.',
    'Try the installation again.',
  ],
  HOST_COMMAND_FAILED: [
    'Code host operation failed',
    'The code host’s CLI could not complete the operation.',
    'Check the network and your sign-in, then try again.',
  ],
  HOST_DOWNLOAD_FAILED: [
    'CLI download failed',
    'The code host’s CLI could not be downloaded.',
    'Check the network and try again.',
  ],
  HOST_EXTRACT_FAILED: [
    'CLI installation failed',
    'The downloaded archive could not be opened.',
    'Check the free disk space and try again.',
  ],
  HOST_GIT_FAILED: [
    'Git command failed',
    'Git did not return the information needed to contact the code host.',
    'Check the repository with `git status` and try again.',
  ],
  HOST_INPUT_INVALID: [
    'Invalid pull request',
    'The title, the text or the branches of the pull request are not valid.',
    'Correct the fields and try again.',
  ],
  HOST_LOGIN_FAILED: [
    'Sign-in failed',
    'The sign-in to the code host was not completed.',
    'Sign in again and enter the new code.',
  ],
  HOST_NOT_INSTALLED: [
    'Code host CLI not found',
    'The code host’s CLI is not installed, or is too old.',
    'Install or update the CLI and try again.',
  ],
  HOST_NOT_LOGGED_IN: ['Sign-in required', 'You are not signed in to the code host.', 'Sign in and try again.'],
  HOST_NOT_ON_HOST: [
    'Remote is on another host',
    'This repository’s remote is not on a supported code host.',
    'Choose a repository on a supported host.',
  ],
  HOST_OUTPUT_INVALID: [
    'Unexpected CLI output',
    'The code host’s CLI returned output that Fucina does not understand.',
    'Update the CLI and try again.',
  ],
  HOST_OUTPUT_TOO_LARGE: [
    'CLI output too large',
    'The code host returned more data than can be shown.',
    'Open the repository on the code host’s website.',
  ],
  HOST_STORE_UNAVAILABLE: [
    'Code host not available',
    'Fucina cannot use the code host right now.',
    'Try again shortly or restart Fucina.',
  ],
  HOST_TIMEOUT: ['Code host timed out', 'The code host did not respond in time.', 'Check the network and try again.'],
  HOST_UNSUPPORTED_PLATFORM: [
    'Installation not supported',
    'Fucina cannot install the code host’s CLI on this system.',
    'Install it by hand and try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
