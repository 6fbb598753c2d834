import { queryOptions } from '@tanstack/react-query';
import { api } from '../../wire/client.ts';

const sizeOf = (response: Response): number => Number(response.headers.get('content-length') ?? Number.NaN);

/** Verifies an item and returns its size. A damaged one is reported and never shown. */
export const intactItemQuery = (sessionId: string, id: string) =>
  queryOptions({
    queryKey: ['library', sessionId, id, 'sound'],
    queryFn: async ({ signal }) => {
      const response = await api.fetch('get', '/sessions/{sessionId}/library/{itemId}/preview', {
        path: { sessionId, itemId: id },
        signal,
      });
      await response.body?.cancel();
      return sizeOf(response);
    },
    gcTime: 0,
  });

export interface ItemBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** Larger than what is shown here: not loaded. */
  isTooLarge: boolean;
  wholeBytes: number;
}

/** All bytes of an item, unless it is larger than `most`. */
export const itemBytesQuery = (sessionId: string, id: string, most: number) =>
  queryOptions({
    queryKey: ['library', sessionId, id, 'bytes'],
    queryFn: async ({ signal }): Promise<ItemBytes> => {
      const response = await api.fetch('get', '/sessions/{sessionId}/library/{itemId}/file', {
        path: { sessionId, itemId: id },
        signal,
      });
      const wholeBytes = sizeOf(response);
      if (wholeBytes > most) {
        await response.body?.cancel();
        return { bytes: new Uint8Array(), isTooLarge: true, wholeBytes };
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, isTooLarge: false, wholeBytes: bytes.length };
    },
    gcTime: 0,
  });

/** An address for an item that is a page. */
export const itemPageQuery = (sessionId: string, id: string) =>
  queryOptions({
    queryKey: ['library', sessionId, id, 'page'],
    queryFn: async () =>
      (await api.post('/sessions/{sessionId}/pages', { path: { sessionId }, body: { entryId: id } })).address,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
