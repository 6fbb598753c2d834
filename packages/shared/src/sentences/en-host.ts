import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HOST_EN = {
  HOST_BASE_UNKNOWN: [
    'Base branch not known',
    'The branch to propose the changes to is not on the code host.',
    'Choose another base branch.',
  ],
  HOST_BRANCH_NOT_PUSHED: [
    'Branch not pushed yet',
    'The code host does not have this branch yet.',
    'Push the branch to the remote and try again.',
  ],
  HOST_CHECKSUM_MISMATCH: [
    'The downloaded program does not match',
    'What was downloaded is different from what was expected, so it was not installed.',
    'Try the installation again.',
  ],
  HOST_COMMAND_FAILED: [
    'Code host operation failed',
    'The code host’s program did not complete the operation.',
    'Check the network and your sign-in, then try again.',
  ],
  HOST_DOWNLOAD_FAILED: [
    'Program not downloaded',
    'The code host’s program could not be downloaded.',
    'Check the network and try again.',
  ],
  HOST_EXTRACT_FAILED: [
    'Program not installed',
    'The downloaded archive could not be opened.',
    'Check the free disk space and try again.',
  ],
  HOST_GIT_FAILED: [
    'Git did not succeed',
    'Git did not give the information needed to talk to the code host.',
    'Check that the repository is in order and try again.',
  ],
  HOST_INPUT_INVALID: [
    'Pull request to be corrected',
    'The title, the text or the branches of the pull request are not valid.',
    'Correct the fields and try again.',
  ],
  HOST_LOGIN_FAILED: [
    'Sign-in did not succeed',
    'The sign-in to the code host was not completed.',
    'Sign in again and enter the new code.',
  ],
  HOST_NOT_INSTALLED: [
    'Code host program not found',
    'The code host’s program is not there, or is too old.',
    'Install or update the program and try again.',
  ],
  HOST_NOT_LOGGED_IN: ['Sign-in needed', 'You have not signed in to the code host yet.', 'Sign in and try again.'],
  HOST_NOT_ON_HOST: [
    'Remote is on another host',
    'This repository’s remote is not on the supported code host.',
    'Choose a repository that is on that host.',
  ],
  HOST_OUTPUT_INVALID: [
    'Answer not recognised',
    'The code host’s program answered in an unexpected way.',
    'Update the program and try again.',
  ],
  HOST_OUTPUT_TOO_LARGE: [
    'Answer too large',
    'The code host gave more data than can be shown.',
    'Look at the repository’s page on the code host.',
  ],
  HOST_STORE_UNAVAILABLE: [
    'Code host not available',
    'Fucina cannot use the code host right now.',
    'Try again shortly or restart Fucina.',
  ],
  HOST_TIMEOUT: [
    'The code host took too long',
    'The operation on the code host did not end in time.',
    'Check the network and try again.',
  ],
  HOST_UNSUPPORTED_PLATFORM: [
    'Installation not offered here',
    'Fucina cannot install the code host’s program on this system.',
    'Install it by hand and try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
