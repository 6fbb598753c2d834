import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../wire/client.ts';

import { MAX_DOWNLOAD_BYTES, readFilePiece, WINDOW_BYTES } from './pieces.ts';

/** A text up to this size is loaded whole, with line numbers. */
export const WHOLE_TEXT_BYTES = 2 * 1024 * 1024;

export const nameSearchQuery = (sessionId: string, text: string) =>
  queryOptions({
    queryKey: ['tree', 'sessions', sessionId, 'search', text],
    queryFn: ({ signal }) =>
      api.get('/sessions/{sessionId}/tree/search', { path: { sessionId }, query: { q: text }, signal }),
    placeholderData: keepPreviousData,
    enabled: text !== '',
    gcTime: 10_000,
  });

/** The start of a file, and its size. */
export const headQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: ['file', sessionId, path, 'head'],
    queryFn: ({ signal }) => readFilePiece({ sessionId, path }, { from: 0, to: WINDOW_BYTES }, signal),
    gcTime: 30_000,
  });

/** A byte range of it. Not cached when unused, because many ranges are as large as the file. */
export const pieceQuery = (sessionId: string, path: string, { from, to }: { from: number; to: number }) =>
  queryOptions({
    queryKey: ['file', sessionId, path, 'piece', from, to],
    queryFn: ({ signal }) => readFilePiece({ sessionId, path }, { from, to }, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** All of it, up to the server's limit. */
export const bytesQuery = (sessionId: string, path: string, wholeBytes: number) =>
  queryOptions({
    queryKey: ['file', sessionId, path, 'bytes', wholeBytes],
    queryFn: async ({ signal }) =>
      (await readFilePiece({ sessionId, path }, { from: 0, to: MAX_DOWNLOAD_BYTES }, signal)).bytes,
    gcTime: 0,
  });

/** An address for a page and the files beside it; valid for this session only. */
export const pageQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: ['page', sessionId, path],
    queryFn: async () =>
      (await api.post('/sessions/{sessionId}/pages', { path: { sessionId }, body: { path } })).address,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
