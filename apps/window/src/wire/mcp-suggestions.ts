import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The key of all queries about MCP servers. */
export const MCP_KEY = ['mcp-servers'];

const SUGGESTED_MS = 10_000;

/** Ways to continue `@server:uri`, or the arguments after `/mcp__server__prompt`. */
export const mcpSuggestionsQuery = (sessionId: string, text: string) =>
  queryOptions({
    queryKey: [...MCP_KEY, 'suggestions', sessionId, text],
    queryFn: async () => {
      const body = { sessionId, text };
      return (await api.post('/ext/mcp/suggestions', { body })).suggestions;
    },
    staleTime: SUGGESTED_MS,
    retry: false,
  });
