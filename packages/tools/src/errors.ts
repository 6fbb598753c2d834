import { defineErrors } from '@fucina/shared';

/** What the rules of the sandbox can be refused for; the reason says which part is wrong. */
export const toolsError = defineErrors('PERMISSIONS_INVALID');
