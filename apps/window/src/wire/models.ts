import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const catalogQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api.get('/models', { signal }),
  staleTime: 300_000,
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async ({ signal }) => (await api.get('/providers', { signal })).items,
});
