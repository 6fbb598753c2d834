import type { Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type LocalRuntime = Schemas['LocalRuntime'];
export type ModelFit = Schemas['ModelFit'];
export type Qualified = Schemas['QualifiedModel'];
export type Capacity = Schemas['ModelLabCapacity'];

/** Our own engine, and external ones. */
export const OWN_ENGINE = 'llama.cpp';

const BUSY_MS = 400;
const QUIET_MS = 5_000;

const isBusy = ({ runtimeState }: LocalRuntime): boolean => runtimeState === 'loading' || runtimeState === 'stopping';

/** Polled often while a model loads. */
export const runtimesQuery = queryOptions({
  queryKey: ['local-models', 'runtimes'],
  queryFn: async ({ signal }) => (await api.get('/runtime', { signal })).items,
  refetchInterval: ({ state }) => (state.data?.some(isBusy) ? BUSY_MS : QUIET_MS),
});

export const capacityQuery = queryOptions({
  queryKey: ['local-models', 'capacity'],
  queryFn: ({ signal }) => api.get('/model-lab/capacity', { signal }),
  refetchInterval: QUIET_MS,
});

/** By the model's own header; without a context size, for long work with tools. */
export const modelFitQuery = (modelId: string, contextTokens?: number) =>
  queryOptions({
    queryKey: ['local-models', 'model-fit', modelId, contextTokens ?? 0],
    queryFn: ({ signal }) =>
      api.get('/local-models/{modelId}/fit', {
        path: { modelId },
        query: {
          profile: contextTokens === undefined ? 'agent' : 'chat',
          contextTokens: contextTokens === undefined ? undefined : String(contextTokens),
        },
        signal,
      }),
    staleTime: 30_000,
    retry: false,
  });

export const loadModel = (modelId: string, contextLength: number | undefined): Promise<unknown> =>
  api.post('/runtime/load', { body: { runtimeId: OWN_ENGINE, modelId, contextLength } });
export const unloadModel = (runtimeId: string): Promise<unknown> =>
  api.post('/runtime/unload', { body: { runtimeId } });
export type EngineLibrary = Schemas['EngineLibrary'];

export const libraryQuery = queryOptions({
  queryKey: ['local-models', 'library'],
  queryFn: async ({ signal }) => (await api.get('/ext/engine/library', { signal })).library,
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? BUSY_MS : QUIET_MS),
});
export const installLibrary = (): Promise<unknown> => api.post('/ext/engine/library');
export const cancelLibrary = (): Promise<unknown> => api.delete('/ext/engine/library');
/** The user has agreed to one short answer. */
export const qualifyModel = (modelId: string, contextTokens: number): Promise<Qualified> =>
  api.post('/local-models/{modelId}/qualify', {
    path: { modelId },
    body: { consent: true, profile: 'chat', contextTokens },
  });
