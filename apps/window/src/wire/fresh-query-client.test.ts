import { afterEach, expect, test } from '@jest/globals';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { FreshQueryClient } from './fresh-query-client.ts';

const clients: QueryClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

/** A query whose answers are given by hand, what is on the server at the time of the request. */
function readings() {
  const client = new FreshQueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  clients.push(client);
  const asked: ((answer: string | Error) => void)[] = [];
  const read = (): Promise<string> =>
    new Promise((resolve, reject) => {
      asked.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  const query = { queryKey: ['notes'], queryFn: read };
  return { client, asked, query, data: () => client.getQueryData(['notes']) };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('reads again after a first reading that a change came into', async () => {
  const { client, asked, query, data } = readings();
  const leave = new QueryObserver(client, query).subscribe(() => undefined);
  const changed = client.invalidateQueries({ queryKey: ['notes'] });
  void client.invalidateQueries({ queryKey: ['notes'] });
  asked[0]?.('old');
  await soon();
  expect(asked).toHaveLength(2);
  asked[1]?.('new');
  await changed;
  expect(data()).toBe('new');
  await soon();
  expect(asked).toHaveLength(2);
  leave();
});

test('reads again after a first reading that failed', async () => {
  const { client, asked, query, data } = readings();
  const leave = new QueryObserver(client, query).subscribe(() => undefined);
  const changed = client.invalidateQueries({ queryKey: ['notes'] });
  asked[0]?.(new Error('away'));
  await soon();
  asked[1]?.('new');
  await changed;
  expect(data()).toBe('new');
  leave();
});

test('starts a later reading anew, once', async () => {
  const { client, asked, query, data } = readings();
  const observer = new QueryObserver(client, query);
  const leave = observer.subscribe(() => undefined);
  asked[0]?.('first');
  await soon();
  void observer.refetch();
  const changed = client.invalidateQueries({ queryKey: ['notes'] });
  expect(asked).toHaveLength(3);
  asked[2]?.('new');
  await changed;
  expect([data(), asked.length]).toEqual(['new', 3]);
  leave();
});

test('marks a reading that nothing shows as old, too', async () => {
  const { client, asked, query } = readings();
  void client.prefetchQuery(query);
  const changed = client.invalidateQueries({ queryKey: ['notes'] });
  asked[0]?.('old');
  await changed;
  expect(client.getQueryState(['notes'])?.isInvalidated).toBe(true);
});
