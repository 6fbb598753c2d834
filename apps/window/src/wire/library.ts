import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, amend, erase, read, send } from './call.ts';

export type LibraryItem = components['schemas']['LibraryItem'];

/** The items of a library. `problem`: why they cannot be listed; then there are no items. */
interface Library {
  items: readonly LibraryItem[];
  problem: string | undefined;
}

const partsOf = (sessionId: string, ...more: string[]): string[] => ['sessions', sessionId, 'library', ...more];

export const libraryQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['library', sessionId],
    queryFn: async ({ signal }): Promise<Library> => {
      const { voci, errore } = await read<{ voci: LibraryItem[] | null; errore: string | null }>(
        address(partsOf(sessionId)),
        signal,
      );
      return { items: voci ?? [], problem: voci ? undefined : (errore ?? '') };
    },
  });

export const refreshLibrary = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: libraryQuery(sessionId).queryKey });

/** The address of an item's bytes; `anteprima`: for one that may be shown directly. */
export const itemAddress = (sessionId: string, id: string, form: 'file' | 'anteprima'): string =>
  address(partsOf(sessionId, id, form));

export const renameItem = (sessionId: string, id: string, nome: string): Promise<{ nomeDopo: string }> =>
  amend(address(partsOf(sessionId, id)), { nome });

/** Shows it in its folder, or opens it with the desktop's program. */
export const openOnDesktop = (sessionId: string, id: string, act: 'rivela' | 'apri'): Promise<unknown> =>
  send(address(partsOf(sessionId, id, act)));

const MOST_AT_ONCE = 250;

interface BatchOutcome {
  esiti: { id: string; ok: boolean; code?: string }[];
}

export const deleteItem = (sessionId: string, id: string): Promise<unknown> => erase(address(partsOf(sessionId, id)));

/** Each separately; returns the ids that could not be deleted. */
export async function deleteItems(sessionId: string, ids: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const body = { azione: 'elimina', ids: ids.slice(at, at + MOST_AT_ONCE) };
    const { esiti } = await send<BatchOutcome>(address(partsOf(sessionId, 'batch')), body);
    left.push(...esiti.filter(({ ok, code }) => !ok && code !== 'LIBRARY_NOT_FOUND').map(({ id }) => id));
  }
  return left;
}
