import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { sessionsQuery } from './queries.ts';
import { keepSource } from './seen-source.ts';
import { checkServer } from './server-state.ts';

export type BoardRow = Schemas['BoardRow'];

/** Kept up to date by `followBoard`. */
export const boardQuery = queryOptions({
  queryKey: ['board'],
  queryFn: async ({ signal }) => (await api.get('/ext/board', { signal })).sessions,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
});

const statesOf = (rows: readonly BoardRow[] = []): string =>
  rows.map(({ sessionId, state }) => `${sessionId} ${state}`).join();

/**
 * Writes the board into its query whenever it changes, until the returned function is called. The list of sessions is
 * read again when a session has another state.
 */
export function followBoard(client: QueryClient): () => void {
  const take = (rows: BoardRow[]): void => {
    const isOther = statesOf(rows) !== statesOf(client.getQueryData(boardQuery.queryKey));
    client.setQueryData(boardQuery.queryKey, rows);
    if (!isOther) return;
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['pending'] });
  };
  return keepSource({
    open() {
      const source = new EventSource(api.address('get', '/ext/board/events'));
      source.onmessage = ({ data }: MessageEvent<string>) =>
        void api.readFrame('/ext/board/events', data).then((board) => take(board.sessions));
      return source;
    },
    onError: () => void checkServer(),
  });
}
