import { describe, expect, test } from '@jest/globals';
import { levelsOf } from './effort-levels.ts';

describe('the levels of a model', () => {
  const sent = { max: 'high', xhigh: 'high', high: 'high', medium: 'medium', low: 'low', minimal: 'low', none: 'low' };
  const catalog = { filoDiretti: { openai: { 'gpt-5*': sent } }, filoCatalogo: { aggregator: { '*': sent } } };

  test('are those that are sent as they are asked, by the first pattern that fits', () => {
    expect(levelsOf(catalog, 'openai:gpt-5-mini')).toEqual(['high', 'medium', 'low']);
    expect(levelsOf(catalog, '~meta/llama')).toEqual(['high', 'medium', 'low']);
    expect(levelsOf(catalog, 'openai:gpt-4')).toEqual([]);
    expect(levelsOf(catalog, 'groq:x')).toEqual([]);
  });
});
