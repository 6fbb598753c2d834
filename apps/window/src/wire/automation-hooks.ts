import type { Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export type AutomationHook = Schemas['AutomationHook'];

const POLL_MS = 15_000;

export const hookQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'hook', id],
    queryFn: async ({ signal }) =>
      (await api.get('/ext/automations/{automationId}/webhook', { path: { automationId: id }, signal })).hook,
    refetchInterval: POLL_MS,
  });

/** Both throw ApiError. The secret cannot be read again. */
export const createHook = (id: string): Promise<{ secret: string; hook: AutomationHook }> =>
  api.post('/ext/automations/{automationId}/webhook', { path: { automationId: id } });
export const removeHook = (id: string): Promise<unknown> =>
  api.delete('/ext/automations/{automationId}/webhook', { path: { automationId: id } });

export const watchQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'files', id],
    queryFn: async ({ signal }) =>
      (await api.get('/ext/automations/{automationId}/files', { path: { automationId: id }, signal })).file,
  });

/** Throws ApiError. */
export const setWatch = (id: string, patterns: string | null): Promise<unknown> =>
  api.post('/ext/automations/{automationId}/files', { path: { automationId: id }, body: { patterns } });

/** What a program calls. */
export const hookAddress = (id: string): string =>
  api.address('post', '/ext/automations/{automationId}/hook', { path: { automationId: id } });
