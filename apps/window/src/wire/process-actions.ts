import { api } from './client.ts';
import { useSessionAction } from './queries.ts';

/** Stops a command of a session, or leaves it running in the background. */
export const useProcessAction = (sessionId: string, toolCallId: string, act: 'stop' | 'background') =>
  useSessionAction(() =>
    api.post(`/sessions/{sessionId}/processes/{processeId}/${act}`, { path: { sessionId, processeId: toolCallId } }),
  );
