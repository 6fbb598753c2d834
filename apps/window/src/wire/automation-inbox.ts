import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, read } from './call.ts';

type InboxRow = components['schemas']['AutomationInboxRow'];

const POLL_MS = 5_000;

/** Unread runs. Counted on every page. */
export const inboxQuery = queryOptions({
  queryKey: ['automations', 'inbox'],
  queryFn: async ({ signal }) => (await read<{ items: InboxRow[] }>(address(['automations', 'inbox']), signal)).items,
  refetchInterval: POLL_MS,
});
