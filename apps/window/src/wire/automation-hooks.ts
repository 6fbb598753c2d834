import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, BASE, erase, read, send } from './call.ts';

export type AutomationHook = components['schemas']['AutomationHook'];
export type AutomationWatch = components['schemas']['AutomationWatch'];

const place = (id: string): string => address(['ext', 'automazioni', id, 'webhook']);
const POLL_MS = 15_000;

export const hookQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'hook', id],
    queryFn: async ({ signal }) => (await read<{ hook: AutomationHook }>(place(id), signal)).hook,
    refetchInterval: POLL_MS,
  });

/** Both throw WireError. The secret cannot be read again. */
export const createHook = (id: string): Promise<{ segreto: string; hook: AutomationHook }> => send(place(id), {});
export const removeHook = (id: string): Promise<unknown> => erase(place(id));

const files = (id: string): string => address(['ext', 'automazioni', id, 'file']);

export const watchQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'files', id],
    queryFn: async ({ signal }) => (await read<{ file: AutomationWatch }>(files(id), signal)).file,
  });

/** Throws WireError. */
export const setWatch = (id: string, schemi: string | null): Promise<unknown> => send(files(id), { schemi });

/** What a program calls. */
export const hookAddress = (id: string): string =>
  new URL(`${BASE}/ext/automazioni/${encodeURIComponent(id)}/hook`, location.href).href;
