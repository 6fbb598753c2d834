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

/** A development server's page, with the network policy of a session. */
interface ProxiedPage {
  url: string;
  session: string;
}

/** The address that shows it. */
export const proxiedAddress = (query: ProxiedPage): string => api.address('get', '/browser/proxy', { query });

/** Where a page of which the policy says nothing may lead: what the window frames. */
const ANYWHERE = 'https: http://localhost:* http://*.localhost:* http://127.0.0.1:*';

/** Whether it can be framed, because a frame does not report why it is empty, and where its policy lets it lead. */
export const proxiedPageQuery = (query: ProxiedPage) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'proxy', query],
    queryFn: async () => {
      const { body, headers } = await api.fetch('get', '/browser/proxy', { query });
      await body?.cancel();
      return /form-action ([^;]+)/.exec(headers.get('Content-Security-Policy') ?? '')?.[1] ?? ANYWHERE;
    },
  });
