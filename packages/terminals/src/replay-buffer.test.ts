import { expect, test } from '@jest/globals';
import { createReplayBuffer } from './replay-buffer.ts';

test('what fits is kept as it is, and a clear forgets it', () => {
  const buffer = createReplayBuffer(10);
  buffer.push(Buffer.from('abc'));
  buffer.push(Buffer.from('defghij'));
  expect(buffer.read().toString()).toBe('abcdefghij');
  buffer.clear();
  expect(buffer.read()).toHaveLength(0);
});

test('a character that is cut off at the beginning is left out, whatever the sizes of the pieces', () => {
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

test('a program that prints no text is kept to the byte, but for what could be half a character', () => {
  const buffer = createReplayBuffer(8);
  buffer.push(Buffer.alloc(100, 0xbf));
  expect(buffer.read()).toHaveLength(5);
});
