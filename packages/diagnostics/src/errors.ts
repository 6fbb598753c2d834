import { defineErrors } from '@fucina/shared';

export const diagnosticsError = defineErrors('NOT_FOUND', 'REPORT_UNAVAILABLE');
