import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { ok } from '../../wire/common.ts';
import { mcpCallChoice } from '../../wire/mcp-calls.ts';
import { mcpServerParams } from '../../wire/mcp-server.ts';

export const answerMcpCalls = operation({
  id: 'ext.mcp.calls',
  tag: 'Extensions',
  summary: 'Whether the tools of an MCP server run without asking, each ask once, or ask at every call',
  method: 'POST',
  path: '/ext/mcp/{serverId}/calls',
  params: mcpServerParams,
  body: mcpCallChoice,
  answer: json(ok),
  errors: ['MCP_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards: ['token', 'from-window:ORIGIN_FORBIDDEN'],
  handle: async ({ params, body, services }) => {
    const { sessionId, path, scope, ...choice } = body;
    await services.mcp.answerCalls({ id: params.serverId, sessionId, path, scope }, choice);
    return { ok: true as const };
  },
});
