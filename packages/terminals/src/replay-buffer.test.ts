import { expect, test } from '@jest/globals';
import { createReplayBuffer } from './replay-buffer.ts';

test('keeps output within its size, and a clear empties it', () => {
  const buffer = createReplayBuffer(10);
  buffer.push(Buffer.from('abc'));
  buffer.push(Buffer.from('defghij'));
  expect(buffer.read().toString()).toBe('abcdefghij');
  buffer.clear();
  expect(buffer.read()).toHaveLength(0);
});

test('drops a truncated character at the beginning for every chunk size', () => {
  const text = 'aé€😀'.repeat(40);
  const bytes = Buffer.from(text);
  for (let limit = 4; limit < 60; limit += 1) {
    for (const piece of [1, 3, 7, 64, 1_000]) {
      const buffer = createReplayBuffer(limit);
      for (let at = 0; at < bytes.length; at += piece) buffer.push(bytes.subarray(at, at + piece));
      const kept = buffer.read().toString();
      expect(kept).not.toContain('\ufffd');
      expect(text.endsWith(kept)).toBe(true);
      expect(Buffer.byteLength(kept)).toBeGreaterThan(limit - 4);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit);
    }
  }
});

test('keeps binary output except possible halves of characters', () => {
  const buffer = createReplayBuffer(8);
  buffer.push(Buffer.alloc(100, 0xbf));
  expect(buffer.read()).toHaveLength(5);
});
