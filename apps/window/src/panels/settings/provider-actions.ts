import {
  queryOptions,
  skipToken,
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { now, readStored, removeStored, writeStored } from '../../ambient.ts';
import { address, send } from '../../wire/call.ts';
import type { ProviderTest } from '../../wire/records.ts';

/** What was true this long ago may not be any more. */
const LONGEST_KEPT_MS = 24 * 3_600_000;

interface KeptTest {
  test: ProviderTest;
  at: number;
}

const isKeptTest = (value: unknown): value is KeptTest =>
  typeof value === 'object' && value !== null && 'test' in value && 'at' in value && typeof value.at === 'number';

const placeOf = (id: string) => `provider-test.${id}`;

function recallTest(id: string): ProviderTest | null {
  const kept = readStored(placeOf(id), isKeptTest);
  return kept && now() - kept.at < LONGEST_KEPT_MS ? kept.test : null;
}

/** What the last test said of what is saved now; null when there was none since. Kept by this browser. */
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
 * Reads anew what a change of a provider touches. An act is over when its row is read again, not when lists of models
 * from far away are; one that failed is over at once.
 */
export function useRefresh(): (data: unknown, error: Error | null) => Promise<void> {
  const client = useQueryClient();
  return async (_data, error) => {
    const [rows] = ['providers', 'models', 'setup', 'doctor'].map((queryKey) =>
      client.invalidateQueries({ queryKey: [queryKey] }),
    );
    if (!error) await rows;
  };
}

/** Changes something of a provider; what was tested before no longer counts. */
export function useProviderAction<Body, Answer = unknown>(
  id: string,
  ...path: string[]
): UseMutationResult<Answer, Error, Body> {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Body) => send<Answer>(address(['providers', id, ...path]), body),
    onSuccess: () => {
      removeStored(placeOf(id));
      client.setQueryData(testQuery(id).queryKey, null);
    },
    onSettled: refresh,
  });
}

export function useProviderTest(id: string): UseMutationResult<ProviderTest, Error, void> {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => send<ProviderTest>(address(['providers', id, 'test'])),
    onSuccess: (test) => {
      writeStored(placeOf(id), { test, at: now() } satisfies KeptTest);
      client.setQueryData(testQuery(id).queryKey, test);
    },
    onSettled: refresh,
  });
}
