import type { Answer } from '@fucina/client';
import type { StreamEvent } from '@fucina/conversation';
import { api } from './client.ts';

interface Exported extends Omit<Answer<'get', '/sessions/{sessionId}/export'>, 'eventi'> {
  eventi: StreamEvent[];
}

/** A session with its events as they are stored: the interface does not describe them here. */
export const readExport = (sessionId: string): Promise<Exported> =>
  api.get('/sessions/{sessionId}/export', { path: { sessionId } }) as Promise<Exported>;
