import { defineErrors } from '@fucina/shared';

export const languageError = defineErrors('NOT_FOUND', 'QUERY_INVALID');
