import { describe, expect, test } from '@jest/globals';
import { cleanLine, cleanText } from '../src/clean-text.ts';
import { columns } from '../src/table.ts';
import { EN } from '../src/words/en.ts';
import { languageOf } from '../src/words/index.ts';
import { IT } from '../src/words/it.ts';

describe('escaping untrusted text', () => {
  test('keeps line breaks and tabs and shows every other control character', () => {
    expect(cleanText('a\tb\nc\r\nd\re\x7f\x9b')).toBe('a\tb\nc\nd␍e␡<U+009B>');
  });

  test('shows bidirectional and invisible format characters', () => {
    expect(cleanText('x\u202ey\u200bz\ufeff')).toBe('x<U+202E>y<U+200B>z<U+FEFF>');
  });

  test('shows unusual line breaks, fillers, tag characters and lone surrogates', () => {
    expect(cleanText('a\u2028b\u00adc\u3164d\u{e0041}e\u{e0101}f\ud83dg')).toBe(
      'a<U+2028>b<U+00AD>c<U+3164>d<U+E0041>e<U+E0101>f\ufffdg',
    );
  });

  test('keeps joiners that emoji and scripts need', () => {
    for (const text of ['👩‍💻', '❤️', 'e\u0301', 'می‌خواهم', '👍🏽']) expect(cleanText(text)).toBe(text);
  });

  test('collapses to one line', () => {
    expect(cleanLine('  a\n\n b  c ', 10)).toBe('a b c');
    expect(cleanLine('abcdef', 4)).toBe('abc…');
  });
});

describe('message catalogs', () => {
  test.each([
    [{ LC_ALL: 'it_IT.UTF-8', LANG: 'en' }, 'it'],
    [{ LC_MESSAGES: 'it', LANG: 'en' }, 'it'],
    [{ LANG: 'it.UTF-8' }, 'it'],
    [{ LC_ALL: '', LANG: 'it_CH' }, 'it'],
    [{ LC_ALL: 'C', LANG: 'it_IT' }, 'en'],
    [{ LANG: 'ita' }, 'en'],
    [{}, 'en'],
  ])('%j reads %s', (env, language) => {
    expect(languageOf(env)).toBe(language);
  });

  test('both languages have the same placeholders', () => {
    const gaps = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const key of Object.keys(EN) as (keyof typeof EN)[])
      expect([key, gaps(IT[key])]).toEqual([key, gaps(EN[key])]);
  });
});

test('columns align by the width of the plain text', () => {
  const paint = (text: string): string => `<${text}>`;
  expect(
    columns([
      [{ text: 'a', paint }, { text: 'b' }],
      [{ text: 'long' }, { text: 'c' }],
    ]),
  ).toEqual(['<a>     b', 'long  c']);
});
