import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { address, read, send } from '../../wire/call.ts';
import type { NameSearch } from '../../wire/records.ts';
import { fileAddress, MAX_DOWNLOAD_BYTES, readFilePiece, WINDOW_BYTES } from './pieces.ts';

/** A text up to here is shown whole, with its line numbers. */
export const WHOLE_TEXT_BYTES = 2 * 1024 * 1024;

export const nameSearchQuery = (sessionId: string, text: string) =>
  queryOptions({
    queryKey: ['tree', 'sessions', sessionId, 'search', text],
    queryFn: ({ signal }) => read<NameSearch>(address(['sessions', sessionId, 'tree', 'search'], { q: text }), signal),
    placeholderData: keepPreviousData,
    enabled: text !== '',
    gcTime: 10_000,
  });

/** How a file begins, and how large it is. */
export const headQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: ['file', sessionId, path, 'head'],
    queryFn: ({ signal }) => readFilePiece(fileAddress(sessionId, path), { from: 0, to: WINDOW_BYTES }, signal),
    gcTime: 30_000,
  });

/** Some bytes of it. Let go as soon as they are not looked at: many pieces are as large as the file. */
export const pieceQuery = (sessionId: string, path: string, { from, to }: { from: number; to: number }) =>
  queryOptions({
    queryKey: ['file', sessionId, path, 'piece', from, to],
    queryFn: ({ signal }) => readFilePiece(fileAddress(sessionId, path), { from, to }, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** All of it, as far as the server carries at once. */
export const bytesQuery = (sessionId: string, path: string, wholeBytes: number) =>
  queryOptions({
    queryKey: ['file', sessionId, path, 'bytes', wholeBytes],
    queryFn: async ({ signal }) =>
      (await readFilePiece(fileAddress(sessionId, path), { from: 0, to: MAX_DOWNLOAD_BYTES }, signal)).bytes,
    gcTime: 0,
  });

/** An address at which a page is shown, with what lies beside it; good for this session only. */
export const pageQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: ['page', sessionId, path],
    queryFn: async () =>
      (await send<{ indirizzo: string }>(address(['sessions', sessionId, 'pagine']), { percorso: path })).indirizzo,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
