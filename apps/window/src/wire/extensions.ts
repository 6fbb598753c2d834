import type { OperationOptions, Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type ForgedTool = Schemas['ForgedTool'];

/** A project's files may change at any time: polled while visible. */
const POLL_MS = 10_000;

/** The tools of a session, or why the project's file cannot be read. */
export const forgedQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['extensions', sessionId, 'tool-forge'],
    queryFn: async ({ signal }) => {
      const path = { sessionId };
      const { tools, error } = await api.get('/sessions/{sessionId}/tool-forge', { path, signal });
      return { rows: tools, problem: error };
    },
    refetchInterval: POLL_MS,
  });

export const refreshExtensions = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: ['extensions', sessionId] });

export type Trusted = 'hooks' | 'mcp' | 'plugins';

/** Throws ApiError. */
export const enableForged = (sessionId: string, id: string, isEnabled: boolean): Promise<unknown> =>
  api.post('/sessions/{sessionId}/tool-forge/{toolId}/enable', {
    path: { sessionId, toolId: id },
    body: { isEnabled },
  });

export type ElicitationAnswer = OperationOptions<'post', '/sessions/{sessionId}/mcp-elicitation'>['body']['answer'];

/** Throws ApiError. */
export const answerElicitation = (sessionId: string, requestId: string, answer: ElicitationAnswer): Promise<unknown> =>
  api.post('/sessions/{sessionId}/mcp-elicitation', { path: { sessionId }, body: { requestId, answer } });
