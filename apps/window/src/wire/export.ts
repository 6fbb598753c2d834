import type { Answer } from '@fucina/client';
import type { StreamEvent } from '@fucina/conversation';
import { readEvent } from '@fucina/conversation/reader';
import { api } from './client.ts';

interface Exported extends Omit<Answer<'get', '/sessions/{sessionId}/export'>, 'events'> {
  events: StreamEvent[];
}

/** A session with its events as they are stored: the interface does not describe them here. */
export async function readExport(sessionId: string): Promise<Exported> {
  const document = await api.get('/sessions/{sessionId}/export', { path: { sessionId } });
  return { ...document, events: document.events.map(readEvent) };
}
