import type { Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type FrameVerdict = Schemas['FrameVerdict'];

/** Page data is not cached: fetched again whenever it is opened. */
const fresh = { staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false } as const;

export const frameVerdictQuery = (url: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'frame', url],
    queryFn: ({ signal }) => api.get('/browser/frameable', { query: { url }, signal }),
  });

export const pageReadingQuery = (url: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'text', url],
    queryFn: ({ signal }) => api.get('/browser/read', { query: { url }, signal }),
  });

/** The address of a public site's icon; 204 when it has none. */
export const faviconAddress = (domain: string): string => api.address('get', '/favicon', { query: { domain } });

/** The address that shows a development server's page. */
export const proxiedAddress = (url: string): string => api.address('get', '/browser/proxy', { query: { url } });

/** Whether it can be framed: a frame does not report why it is empty. */
export const proxiedPageQuery = (url: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'proxy', url],
    queryFn: async () => {
      await (await api.fetch('get', '/browser/proxy', { query: { url } })).body?.cancel();
      return true as const;
    },
  });
