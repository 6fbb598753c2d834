import { describe, expect, test } from '@jest/globals';
import { priorityAt, priorityMoved } from './key-order.ts';

const pool = (...priorities: number[]) =>
  priorities.map((priority, at) => ({ fingerprint: `key${at + 1}`, name: `Chiave ${at + 1}`, priority }));

/** The order after a key was moved, sorted like on the server. */
function after(keys: ReturnType<typeof pool>, name: string, direction: 'up' | 'down'): string | undefined {
  const priority = priorityMoved(keys, name, direction);
  if (priority === undefined) return undefined;
  return keys
    .map((key) => (key.fingerprint === name ? { ...key, priority } : key))
    .sort((one, other) => one.priority - other.priority || one.name.localeCompare(other.name))
    .map(({ fingerprint }) => fingerprint.slice(3))
    .join('');
}

describe('the order of keys', () => {
  test('inserts a new key at either end with spare priorities', () => {
    expect([priorityAt([], 'last'), priorityAt(pool(0, 10), 'last'), priorityAt(pool(0, 10), 'first')]).toEqual([
      0, 20, -10,
    ]);
    expect([priorityAt(pool(995), 'last'), priorityAt(pool(-1_000), 'first')]).toEqual([1_000, -1_000]);
  });

  test('moves a key by one place', () => {
    expect(after(pool(0, 10, 20), 'key3', 'up')).toBe('132');
    expect(after(pool(0, 10, 20), 'key2', 'up')).toBe('213');
    expect(after(pool(0, 10, 20), 'key1', 'down')).toBe('213');
    expect(after(pool(0, 10, 20), 'key2', 'down')).toBe('132');
  });

  test('skips keys of equal priority when no number is free', () => {
    expect(after(pool(0, 0), 'key2', 'up')).toBe('21');
    expect(after(pool(0, 0, 0), 'key3', 'up')).toBe('312');
    expect(after(pool(5, 6, 7), 'key3', 'up')).toBe('132');
  });

  test('detects the ends and unknown keys', () => {
    expect(after(pool(0, 10), 'key1', 'up')).toBeUndefined();
    expect(after(pool(0, 10), 'key2', 'down')).toBeUndefined();
    expect(after(pool(0, 10), 'key9', 'up')).toBeUndefined();
    expect(after(pool(-1_000, -1_000), 'key2', 'up')).toBeUndefined();
  });
});
