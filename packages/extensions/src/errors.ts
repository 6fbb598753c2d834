import { defineErrors } from '@fucina/shared';

export const extensionsError = defineErrors(
  'ELICITATION_ANSWER_INVALID',
  'ELICITATION_NOT_PENDING',
  'HOOK_INVALID',
  'MCP_INVALID',
  'NOT_FOUND',
  'PLUGIN_INVALID',
  'QUERY_INVALID',
);
