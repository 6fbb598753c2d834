import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, read, readEnvelope } from './call.ts';

export type FrameVerdict = components['schemas']['FrameVerdict'];
export type PageReading = components['schemas']['PageReading'];

/** Page data is not cached: fetched again whenever it is opened. */
const fresh = { staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false } as const;

export const frameVerdictQuery = (url: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'frame', url],
    queryFn: ({ signal }) => read<FrameVerdict>(address(['browser', 'incorniciabile'], { url }), signal),
  });

export const pageReadingQuery = (url: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'text', url],
    queryFn: ({ signal }) => read<PageReading>(address(['browser', 'leggi'], { url }), signal),
  });

/** The address of a public site's icon; 204 when it has none. */
export const faviconAddress = (dominio: string): string => address(['favicon'], { dominio });

/** The address that shows a development server's page. */
export const proxiedAddress = (url: string): string => address(['browser', 'proxy'], { url });

/** Whether it can be framed: a frame does not report why it is empty. */
export const proxiedPageQuery = (url: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'proxy', url],
    queryFn: async () => {
      await (await readEnvelope(proxiedAddress(url))).body?.cancel();
      return true as const;
    },
  });
