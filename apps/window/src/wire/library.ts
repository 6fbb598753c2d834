import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type LibraryItem = Schemas['LibraryItem'];

/** The items of a library. `problem`: why they cannot be listed; then there are no items. */
interface Library {
  items: readonly LibraryItem[];
  problem: string | undefined;
}

export const libraryQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['library', sessionId],
    queryFn: async ({ signal }): Promise<Library> => {
      const { entries, error } = await api.get('/sessions/{sessionId}/library', { path: { sessionId }, signal });
      return { items: entries ?? [], problem: entries ? undefined : (error ?? '') };
    },
  });

export const refreshLibrary = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: libraryQuery(sessionId).queryKey });

/** The address of an item's bytes; `preview`: for one that may be shown directly. */
export const itemAddress = (sessionId: string, id: string, form: 'file' | 'preview'): string =>
  api.address('get', `/sessions/{sessionId}/library/{itemId}/${form}`, { path: { sessionId, itemId: id } });

export const renameItem = (sessionId: string, id: string, name: string): Promise<{ nameAfter: string }> =>
  api.patch('/sessions/{sessionId}/library/{itemId}', { path: { sessionId, itemId: id }, body: { name } });

/** Shows it in its folder, or opens it with the desktop's program. */
export const openOnDesktop = (sessionId: string, id: string, act: 'reveal' | 'open'): Promise<unknown> =>
  api.post(`/sessions/{sessionId}/library/{itemId}/${act}`, { path: { sessionId, itemId: id } });

const MOST_AT_ONCE = 250;

export const deleteItem = (sessionId: string, id: string): Promise<unknown> =>
  api.delete('/sessions/{sessionId}/library/{itemId}', { path: { sessionId, itemId: id } });

/** Each separately; returns the ids that could not be deleted. */
export async function deleteItems(sessionId: string, ids: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const body = { action: 'delete' as const, ids: ids.slice(at, at + MOST_AT_ONCE) };
    const { outcomes } = await api.post('/sessions/{sessionId}/{resource}/batch', {
      path: { sessionId, resource: 'library' },
      body,
    });
    left.push(...outcomes.flatMap((one) => (one.ok || one.code === 'LIBRARY_NOT_FOUND' ? [] : [one.id])));
  }
  return left;
}
