import type { StreamEvent } from '@fucina/conversation';
import { readExported } from '@fucina/conversation/reader';
import { api } from './client.ts';

interface Exported {
  /** The session as the interface has it, which another program can import. */
  document: unknown;
  events: StreamEvent[];
}

export async function readExport(sessionId: string): Promise<Exported> {
  const response = await api.fetch('get', '/sessions/{sessionId}/export', { path: { sessionId } });
  const { data } = (await response.json()) as { data: Parameters<typeof readExported>[0] };
  return { document: data, events: readExported(data) };
}
