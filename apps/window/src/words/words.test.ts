import { describe, expect, test } from '@jest/globals';
import { en } from './en.ts';
import { it } from './it.ts';

const namesIn = (text: string): string =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, name = '']) => name)
    .toSorted((one, other) => one.localeCompare(other))
    .join();
const keys = Object.keys(en) as (keyof typeof en)[];

describe('the catalogs', () => {
  test('have the same keys', () => {
    expect(Object.keys(it).sort()).toEqual([...keys].sort());
  });

  test('say the same values in each language', () => {
    // One thing is counted in words in Italian.
    const different = keys.filter((key) => key !== 'diff.more_one' && namesIn(en[key]) !== namesIn(it[key]));
    expect(different).toEqual([]);
  });

  test('have one and many of whatever is counted', () => {
    const one = keys.filter((key) => key.endsWith('_one')).map((key) => key.slice(0, -4));
    const other = keys.filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -6));
    expect(one).toEqual(other);
  });

  test('leave nothing unsaid', () => {
    expect(keys.filter((key) => en[key].trim() === '' || it[key].trim() === '')).toEqual([]);
  });
});
