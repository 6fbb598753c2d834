import { describe, expect, test } from '@jest/globals';
import { phrase } from './phrase.ts';

const catalog = {
  plain: 'Nothing to count',
  named: 'Stop {{name}} of {{name}}',
  files_one: '{{count}} file',
  files_other: '{{count}} files',
  total: '{{count}} in all',
};
const en = { catalog, plurals: new Intl.PluralRules('en') };
const it = { catalog, plurals: new Intl.PluralRules('it') };

describe('a phrase', () => {
  test('says its words, with values wherever they are named', () => {
    expect(phrase(en, 'plain')).toBe('Nothing to count');
    expect(phrase(en, 'named', { name: 'it' })).toBe('Stop it of it');
    expect(phrase(en, 'named')).toBe('Stop  of ');
  });

  test('leaves a value alone, whatever it holds', () => {
    expect(phrase(en, 'named', { name: '{{name}} $& <b>' })).toBe('Stop {{name}} $& <b> of {{name}} $& <b>');
  });

  test('counts one and many', () => {
    expect([0, 1, 2].map((count) => phrase(en, 'files', { count }))).toEqual(['0 files', '1 file', '2 files']);
  });

  test('has words for a million where a language counts millions apart', () => {
    expect(it.plurals.select(1_000_000)).toBe('many');
    expect(phrase(it, 'files', { count: 1_000_000 })).toBe('1000000 files');
  });

  test('takes a count that is already words, or that has one form only, as any other value', () => {
    expect(phrase(en, 'total', { count: '1.2M' })).toBe('1.2M in all');
    expect(phrase(en, 'total', { count: 3 })).toBe('3 in all');
  });

  test('says a key that has no words as it is', () => {
    expect(phrase(en, 'absent', { count: 2 })).toBe('absent');
  });
});
