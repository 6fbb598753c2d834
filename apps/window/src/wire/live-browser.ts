import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Schemas = components['schemas'];

export type LiveState = Schemas['LiveBrowserState'];
export type OpenedPage = Schemas['OpenedPage'];
export type DescribedElement = Schemas['DescribedElement'];

export interface Size {
  width: number;
  height: number;
}

export interface Frame {
  dati: string;
  numero: number;
  metadati: { deviceWidth: number; deviceHeight: number };
  url: string;
}

export type Gesture =
  | { tipo: 'clic'; x: number; y: number; tasto?: 'destro' | 'centrale'; doppio?: true; modificatori: number }
  | { tipo: 'tasto'; tasto: string; modificatori: number }
  | { tipo: 'rotella'; x: number; y: number; deltaX: number; deltaY: number };

const of = (name: string, sessione: string): string => address(['browser', 'vivo', name], { sessione });

export const liveStateQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['live-browser', sessionId],
    queryFn: ({ signal }) => read<LiveState>(of('stato', sessionId), signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

export const openLivePage = (sessionId: string, url: string, { width, height }: Size): Promise<OpenedPage> =>
  send(of('apri', sessionId), { url, larghezza: width, altezza: height });

export const resizeLivePage = (sessionId: string, { width, height }: Size): Promise<unknown> =>
  send(of('misura', sessionId), { larghezza: width, altezza: height });

export const sendGesture = (sessionId: string, gesture: Gesture): Promise<unknown> =>
  send(of('gesto', sessionId), gesture);

export const describeAt = (sessionId: string, point: { x: number; y: number }): Promise<DescribedElement> =>
  send(of('descrivi', sessionId), point);

export const closeLivePage = (sessionId: string): Promise<unknown> => send(of('chiudi', sessionId));

/** The stream of page images. */
export const screenSource = (sessionId: string): EventSource => new EventSource(of('schermo', sessionId));
