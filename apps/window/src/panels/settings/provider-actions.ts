import type { OperationOptions } from '@fucina/client';
import {
  queryOptions,
  skipToken,
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { now, readStored, removeStored, writeStored } from '../../ambient.ts';
import { api } from '../../wire/client.ts';
import type { ProviderTest } from '../../wire/records.ts';

/** An older result may be outdated. */
const MAX_RETENTION_MS = 24 * 3_600_000;

interface StoredTest {
  test: ProviderTest;
  at: number;
}

const isStoredTest = (value: unknown): value is StoredTest =>
  typeof value === 'object' && value !== null && 'test' in value && 'at' in value && typeof value.at === 'number';

const placeOf = (id: string) => `provider-test.${id}`;

function recallTest(id: string): ProviderTest | null {
  const kept = readStored(placeOf(id), isStoredTest);
  return kept && now() - kept.at < MAX_RETENTION_MS ? kept.test : null;
}

/** Result of the last test of the saved settings; null if there was none since. Stored in this browser. */
const testQuery = (id: string) =>
  queryOptions<ProviderTest | null>({
    queryKey: ['provider-test', id],
    queryFn: skipToken,
    initialData: () => recallTest(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

export const useLastTest = (id: string): ProviderTest | null => useQuery(testQuery(id)).data ?? null;

/**
 * Refreshes what a provider's change affects. The action is finished when its row is reloaded, without waiting for
 * remote lists of models; a failed one at once.
 */
export function useRefresh(): (data: unknown, error: Error | null) => Promise<void> {
  const client = useQueryClient();
  return async (_data, error) => {
    const [rows] = ['providers', 'models', 'setup', 'doctor', CONNECTION].map((queryKey) =>
      client.invalidateQueries({ queryKey: [queryKey] }),
    );
    if (!error) await rows;
  };
}

const CONNECTION = 'provider-connection';

export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: [CONNECTION, id],
    queryFn: async ({ signal }) =>
      (await api.get('/ext/providers/{providerId}/connection', { path: { providerId: id }, signal })).connection,
  });

type ConnectionChange = OperationOptions<'post', '/ext/providers/{providerId}/connection'>['body'];

/** Changes an address that the interface's own operation does not, or the extra headers. */
export const useConnectionChange = (id: string): UseMutationResult<unknown, Error, ConnectionChange> =>
  useProviderAction(id, (body: ConnectionChange) =>
    api.post('/ext/providers/{providerId}/connection', { path: { providerId: id }, body }),
  );

/** Changes a provider; earlier test results no longer apply. */
export function useProviderAction<Body>(
  id: string,
  act: (body: Body) => Promise<unknown>,
): UseMutationResult<unknown, Error, Body> {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      removeStored(placeOf(id));
      client.setQueryData(testQuery(id).queryKey, null);
    },
    onSettled: refresh,
  });
}

export const useAddKey = (id: string) =>
  useProviderAction(id, (body: OperationOptions<'post', '/providers/{providerId}/keys'>['body']) =>
    api.post('/providers/{providerId}/keys', { path: { providerId: id }, body }),
  );

export function useProviderTest(id: string): UseMutationResult<ProviderTest, Error, void> {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.post('/providers/{providerId}/test', { path: { providerId: id } }),
    onSuccess: (test) => {
      writeStored(placeOf(id), { test, at: now() } satisfies StoredTest);
      client.setQueryData(testQuery(id).queryKey, test);
    },
    onSettled: refresh,
  });
}
