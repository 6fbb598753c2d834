import type { Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

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

export const liveStateQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['live-browser', sessionId],
    queryFn: ({ signal }) => api.get('/browser/vivo/stato', { query: { sessione: sessionId }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

export const openLivePage = (sessionId: string, url: string, { width, height }: Size): Promise<OpenedPage> =>
  api.post('/browser/vivo/apri', { query: { sessione: sessionId }, body: { url, larghezza: width, altezza: height } });

export const resizeLivePage = (sessionId: string, { width, height }: Size): Promise<unknown> =>
  api.post('/browser/vivo/misura', { query: { sessione: sessionId }, body: { larghezza: width, altezza: height } });

export const sendGesture = (sessionId: string, gesture: Gesture): Promise<unknown> =>
  api.post('/browser/vivo/gesto', { query: { sessione: sessionId }, body: gesture });

export const describeAt = (sessionId: string, point: { x: number; y: number }): Promise<DescribedElement> =>
  api.post('/browser/vivo/descrivi', { query: { sessione: sessionId }, body: point });

export const closeLivePage = (sessionId: string): Promise<unknown> =>
  api.post('/browser/vivo/chiudi', { query: { sessione: sessionId } });

/** The stream of page images. */
export const screenSource = (sessionId: string): EventSource =>
  new EventSource(api.address('get', '/browser/vivo/schermo', { query: { sessione: sessionId } }));
