import { expect, test } from '@jest/globals';
import { createTexts } from './texts.ts';

const FILES = { files_one: '{{count}} file', files_other: '{{count}} files' };

test('uses the singular for one and the plural for every other count', () => {
  const texts = createTexts();
  texts.add({ ...FILES, total: '{{count}} in all' });
  const counts = [0, 1, 2, 1_000_000];
  expect(counts.map((count) => texts.say('files', { count }))).toEqual([
    '0 files',
    '1 file',
    '2 files',
    '1000000 files',
  ]);
  expect(texts.say('total', { count: 1_000_000 })).toBe('1000000 in all');
});

test('fills placeholders with the values as they are', () => {
  const texts = createTexts();
  texts.add({ open: 'Open {{name}} in {{editor}}', ...FILES });
  expect(texts.say('open', { name: '$&{{editor}}<b>', editor: 'Zed' })).toBe('Open $&{{editor}}<b> in Zed');
  expect(texts.say('open', { name: 'a' })).toBe('Open a in ');
  expect(texts.say('open')).toBe('Open {{name}} in {{editor}}');
});

test('returns the key of a missing text', () => {
  const texts = createTexts();
  texts.add(FILES);
  expect(texts.say('unknown.key', { count: 1 })).toBe('unknown.key');
  expect(texts.has('unknown.key')).toBe(false);
  expect(texts.has('files_one')).toBe(true);
});

test('adds a catalog to the texts that are there', () => {
  const texts = createTexts();
  texts.add({ one: 'One' });
  texts.add({ two: 'Two' });
  expect([texts.say('one'), texts.say('two')]).toEqual(['One', 'Two']);
});
