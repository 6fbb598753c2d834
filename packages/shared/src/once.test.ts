import { expect, test } from '@jest/globals';
import { once } from './once.ts';

test('computes a value once for all callers and again only after a failure', () => {
  let calls = 0;
  const made = once(() => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return { calls };
  });
  expect(made).toThrow('not yet');
  expect(made()).toBe(made());
  expect(calls).toBe(2);
});

test('a rejected promise fails all waiting callers and is retried by the next', async () => {
  let calls = 0;
  const made = once(async () => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return calls;
  });
  const both = await Promise.allSettled([made(), made()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(calls).toBe(1);
  expect(await made()).toBe(2);
  expect(await made()).toBe(2);
});
