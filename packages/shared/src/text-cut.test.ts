import { describe, expect, test } from '@jest/globals';
import { textEnd, textStart } from './text-cut.ts';

describe('a text that is cut', () => {
  test.each([
    ['a🙂b', 0, '', ''],
    ['a🙂b', 1, 'a', 'b'],
    ['a🙂b', 2, 'a', 'b'],
    ['a🙂b', 3, 'a🙂', '🙂b'],
    ['a🙂b', 4, 'a🙂b', 'a🙂b'],
    ['a🙂b', 9, 'a🙂b', 'a🙂b'],
    ['a🙂b', -1, '', ''],
  ])('of %j, %i: begins with %j and ends with %j', (text, limit, start, end) => {
    expect([textStart(text, limit), textEnd(text, limit)]).toEqual([start, end]);
  });

  test.each(['', 'plain', '🙂🙂🙂', 'é🇮🇹x👩‍💻', 'a🙂'])('stays well formed: %j', (text) => {
    for (let limit = 0; limit <= text.length + 1; limit += 1) {
      for (const cut of [textStart(text, limit), textEnd(text, limit)]) {
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(limit, text.length) - 1);
      }
    }
  });
});
