import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { later } from '../ambient.ts';
import { address, read } from './call.ts';
import { sessionsQuery } from './queries.ts';
import { checkServer } from './server-state.ts';

export type BoardRow = components['schemas']['BoardRow'];

interface Board {
  sessioni: BoardRow[];
}

const BASE = ['ext', 'bacheca'];
const RETRY_MS = 3_000;
/** A hidden page closes its connection: a browser has six of them per server for all tabs. */
const OUT_OF_SIGHT_MS = 60_000;

/** Kept up to date by `followBoard`. */
export const boardQuery = queryOptions({
  queryKey: ['board'],
  queryFn: async ({ signal }) => (await read<Board>(address(BASE), signal)).sessioni,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
});

const statesOf = (rows: readonly BoardRow[] = []): string =>
  rows.map(({ sessionId, stato }) => `${sessionId} ${stato}`).join();

/**
 * Writes the board into its query whenever it changes, until the returned function is called. The list of sessions is
 * read again when a session has another state.
 */
export function followBoard(client: QueryClient): () => void {
  let source: EventSource | undefined;
  let cancelRetry: (() => void) | undefined;
  let cancelRest: (() => void) | undefined;

  const take = (rows: BoardRow[]): void => {
    const isOther = statesOf(rows) !== statesOf(client.getQueryData(boardQuery.queryKey));
    client.setQueryData(boardQuery.queryKey, rows);
    if (!isOther) return;
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['pending'] });
  };
  const stop = (): void => {
    cancelRetry?.();
    source?.close();
    source = undefined;
  };
  const connect = (): void => {
    source = new EventSource(address([...BASE, 'eventi']));
    source.onmessage = ({ data }: MessageEvent<string>) => take((JSON.parse(data) as Board).sessioni);
    source.onerror = () => {
      void checkServer();
      // A refusal closes the source for good; after a lost connection it reconnects itself.
      if (source?.readyState === EventSource.CLOSED) cancelRetry = later(RETRY_MS, connect);
    };
  };
  const see = (): void => {
    cancelRest?.();
    if (document.visibilityState === 'hidden') cancelRest = later(OUT_OF_SIGHT_MS, stop);
    else if (!source) connect();
  };
  connect();
  document.addEventListener('visibilitychange', see);
  return () => {
    document.removeEventListener('visibilitychange', see);
    cancelRest?.();
    stop();
  };
}
