import { expect, test } from '@jest/globals';
import { createKeyedQueue } from './keyed-queue.ts';

/** Acts that end when told to, and what happened. */
function acts() {
  const happened: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const act = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      happened.push(`begin ${name}`);
      ends.set(name, (error) => {
        happened.push(`end ${name}`);
        if (error) reject(error);
        else resolve(name);
      });
    });
  return { happened, act, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test('acts of one key run one after the other, those of another key beside them', async () => {
  const queue = createKeyedQueue();
  const { happened, act, end } = acts();
  const [first, second, other] = [queue('a', act('1')), queue('a', act('2')), queue('b', act('3'))];
  await Promise.resolve();
  expect(happened).toEqual(['begin 1', 'begin 3']);
  end('3');
  expect(await other).toBe('3');
  end('1');
  expect(await first).toBe('1');
  end('2');
  expect(await second).toBe('2');
  expect(happened).toEqual(['begin 1', 'begin 3', 'end 3', 'end 1', 'begin 2', 'end 2']);
});

test('an act that fails fails alone, and the next one runs', async () => {
  const queue = createKeyedQueue();
  const { act, end } = acts();
  const first = queue('a', act('1'));
  const second = queue('a', act('2'));
  await Promise.resolve();
  end('1', new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  end('2');
  expect(await second).toBe('2');
  const third = queue('a', act('3'));
  await Promise.resolve();
  end('3');
  expect(await third).toBe('3');
});
