import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { reachableAddress } from './session-ports.ts';

export const sessionServersQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['ports', sessionId],
    queryFn: async ({ signal }) =>
      (await api.get('/ext/sessions/{sessionId}/ports', { path: { sessionId }, signal })).servers,
  });

export const closePort = (sessionId: string, port: number): Promise<unknown> =>
  api.delete('/ext/sessions/{sessionId}/ports/{port}', { path: { sessionId, port: String(port) } });

export const reachableAddressQuery = (sessionId: string, address: string) =>
  queryOptions({
    queryKey: ['ports', sessionId, 'address', address],
    queryFn: () => reachableAddress(sessionId, address),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
