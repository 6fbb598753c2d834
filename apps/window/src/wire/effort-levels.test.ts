import { describe, expect, test } from '@jest/globals';
import { levelsOf } from './effort-levels.ts';

describe('effort levels', () => {
  const sent = { max: 'high', xhigh: 'high', high: 'high', medium: 'medium', low: 'low', minimal: 'low', none: 'low' };
  const catalog = { directWires: { openai: { 'gpt-5*': sent } }, catalogWire: { aggregator: { '*': sent } } };

  test('match the first pattern of the model and are sent unchanged', () => {
    expect(levelsOf(catalog, 'openai:gpt-5-mini')).toEqual(['high', 'medium', 'low']);
    expect(levelsOf(catalog, '~meta/llama')).toEqual(['high', 'medium', 'low']);
    expect(levelsOf(catalog, 'openai:gpt-4')).toEqual([]);
    expect(levelsOf(catalog, 'groq:x')).toEqual([]);
  });
});
