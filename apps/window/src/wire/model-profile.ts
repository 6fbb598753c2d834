import type { Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type ModelProfile = Schemas['ModelProfile'];

/** What a model gets by default. */
export const modelProfileQuery = (model: string) =>
  queryOptions({
    queryKey: ['models', 'profile', model],
    queryFn: async ({ signal }) => (await api.get('/ext/models/profile', { query: { model }, signal })).profile,
  });
