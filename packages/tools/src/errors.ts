import { defineErrors } from '@fucina/shared';

/** Errors of sandbox rules; the reason names the invalid part. */
export const toolsError = defineErrors('PERMISSIONS_INVALID');
