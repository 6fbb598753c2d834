/**
 * What the user answered about the calls of an MCP server: its tools run without asking, each tool asks until the user
 * allows it, or each call asks.
 */
export const MCP_CALL_ANSWERS = ['allow', 'by-tool', 'ask'] as const;
export type McpCallAnswer = (typeof MCP_CALL_ANSWERS)[number];

/**
 * The same for one tool, for the permission gate. `ask-tool`: the user may allow it from now on; `ask-server`: the user has
 * not answered about the server as it is now.
 */
export type ToolCallLeave = 'allow' | 'ask' | 'ask-tool' | 'ask-server';
