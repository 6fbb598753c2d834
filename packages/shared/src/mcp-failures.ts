/** Why an MCP server cannot be used now. */
export const MCP_FAILURES = [
  'program-not-found',
  'secret-missing',
  'key-file',
  'secrets-unavailable',
  'variable-missing',
  'address',
  'unreadable',
  'timeout',
  'ended',
  'sign-in',
  'unauthorized',
  'unreachable',
  'protocol',
] as const;
export type McpFailure = (typeof MCP_FAILURES)[number];
