import { describe, expect, test } from '@jest/globals';
import { createAddedText } from './added-text.ts';

describe('appended text of repeated full texts', () => {
  test('is the added part', () => {
    const added = createAddedText();
    expect(['one\n', 'one\n', 'one\ntwo\n'].map((text) => added.of(text, false))).toEqual(['one\n', '', 'two\n']);
  });

  test('is the added part after its beginning was truncated', () => {
    const added = createAddedText();
    added.of('0123456789', false);
    expect(added.of('456789ab', true)).toBe('\n[… some output was not received …]\n456789ab');
    expect(added.of('6789abcd', true)).toBe('\n[… some output was not received …]\n6789abcd');
    const long = createAddedText();
    long.of('x'.repeat(10_000) + 'y'.repeat(3000), false);
    expect(long.of(`${'y'.repeat(3000)}more`, true)).toBe('more');
  });

  test('is the whole text when it starts truncated', () => {
    expect(createAddedText().of('tail', true)).toBe('tail');
  });
});
