import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, read, readEnvelope } from './call.ts';

export type FrameVerdict = components['schemas']['FrameVerdict'];
export type PageReading = components['schemas']['PageReading'];

/** What a page answers is as old as it is: asked again whenever it is opened again. */
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

/** Where the icon of a public site is: nothing (204) when it has none. */
export const faviconAddress = (dominio: string): string => address(['favicon'], { dominio });

/** Where a development server's page is shown from. */
export const proxiedAddress = (url: string): string => address(['browser', 'proxy'], { url });

/** Whether it can be: a frame does not say why it holds nothing. */
export const proxiedPageQuery = (url: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['page', 'proxy', url],
    queryFn: async () => {
      await (await readEnvelope(proxiedAddress(url))).body?.cancel();
      return true as const;
    },
  });
