import { defineErrors } from '@fucina/shared';

/** Errors of sandbox rules; the reason names the invalid part. */
export const sandboxError = defineErrors('PERMISSIONS_INVALID');
