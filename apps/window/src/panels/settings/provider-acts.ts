import {
  queryOptions,
  skipToken,
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { keep, recall } from '../../ambient.ts';
import { address, send } from '../../wire/call.ts';
import type { ProviderTest } from '../../wire/records.ts';

const isTest = (value: unknown): value is ProviderTest =>
  typeof value === 'object' && value !== null && 'esito' in value && 'dettaglio' in value;
const keptAs = (id: string): string => `provider-test.${id}`;

/** What the last test of the saved settings reported, also before a reload; null when there was none since a change. */
const testQuery = (id: string) =>
  queryOptions<ProviderTest | null>({
    queryKey: ['provider-test', id],
    queryFn: skipToken,
    initialData: () => recall(keptAs(id), isTest) ?? null,
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
export function useProviderAct<Body, Answer = unknown>(
  id: string,
  ...path: string[]
): UseMutationResult<Answer, Error, Body> {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Body) => send<Answer>(address(['providers', id, ...path]), body),
    onSuccess: () => {
      keep(keptAs(id), null);
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
      keep(keptAs(id), test);
      client.setQueryData(testQuery(id).queryKey, test);
    },
    onSettled: refresh,
  });
}
