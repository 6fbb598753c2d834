import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Tasks to start from. Their texts are in the language of the request. */
export const templatesQuery = (language: string) =>
  queryOptions({
    queryKey: ['tasks', language],
    queryFn: async ({ signal }) => (await api.get('/tasks', { signal })).items,
    staleTime: 300_000,
  });
