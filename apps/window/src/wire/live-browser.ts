import type { Frame as FrameOf, Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type OpenedPage = Schemas['OpenedPage'];
export type DescribedElement = Schemas['DescribedElement'];

export interface Size {
  width: number;
  height: number;
}

/** An image of the page, or why there is no other. */
export type Frame = FrameOf<'/browser/live/screen'>;
export type PageImage = Extract<Frame, { data: string }>;

export type Gesture =
  | { kind: 'click'; x: number; y: number; key?: 'right' | 'middle'; isDouble?: true; modifiers: number }
  | { kind: 'key'; key: string; modifiers: number }
  | { kind: 'wheel'; x: number; y: number; deltaX: number; deltaY: number };

export const liveStateQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['live-browser', sessionId],
    queryFn: ({ signal }) => api.get('/browser/live/state', { query: { session: sessionId }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

export const openLivePage = (sessionId: string, url: string, { width, height }: Size): Promise<OpenedPage> =>
  api.post('/browser/live/open', { query: { session: sessionId }, body: { url, width, height } });

export const resizeLivePage = (sessionId: string, { width, height }: Size): Promise<unknown> =>
  api.post('/browser/live/size', { query: { session: sessionId }, body: { width, height } });

export const sendGesture = (sessionId: string, gesture: Gesture): Promise<unknown> =>
  api.post('/browser/live/gesture', { query: { session: sessionId }, body: gesture });

export const describeAt = (sessionId: string, point: { x: number; y: number }): Promise<DescribedElement> =>
  api.post('/browser/live/describe', { query: { session: sessionId }, body: point });

export const closeLivePage = (sessionId: string): Promise<unknown> =>
  api.post('/browser/live/close', { query: { session: sessionId } });

/** The stream of page images. */
export const screenSource = (sessionId: string): EventSource =>
  new EventSource(api.address('get', '/browser/live/screen', { query: { session: sessionId } }));

export const readScreenFrame = (data: string): Promise<Frame> => api.readFrame('/browser/live/screen', data);
