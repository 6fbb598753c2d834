import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Sessions with matching messages, with locations; ignores accents and case. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => (await api.get('/sessions', { signal, headers: { 'x-svc-cerca': text } })).items,
    placeholderData: keepPreviousData,
  });
