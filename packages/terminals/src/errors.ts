import { defineErrors } from '@fucina/shared';

export const terminalsError = defineErrors('NOT_FOUND', 'TERMINAL_LIMIT_REACHED', 'TERMINAL_STORE_UNAVAILABLE');
