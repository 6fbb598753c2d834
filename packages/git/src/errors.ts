import { defineErrors } from '@fucina/shared';

export const gitError = defineErrors('GIT_COMMAND_FAILED', 'GIT_TIMEOUT', 'GIT_OUTPUT_TOO_LARGE', 'GIT_ABORTED');
