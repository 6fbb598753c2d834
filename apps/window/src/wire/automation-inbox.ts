import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const POLL_MS = 5_000;

/** Unread runs. Counted on every page. */
export const inboxQuery = queryOptions({
  queryKey: ['automations', 'inbox'],
  queryFn: async ({ signal }) => (await api.get('/automations/inbox', { signal })).items,
  refetchInterval: POLL_MS,
});
