import { expect, test } from '@jest/globals';
import i18next from 'i18next';
import { withManyForms } from './plurals.ts';

test('uses the plural category for millions where the language has one', async () => {
  const words = { files_one: '{{count}} file', files_other: '{{count}} files', total: '{{count}} in all' };
  const say = i18next.createInstance();
  await say.init({ lng: 'it', resources: { it: { translation: withManyForms(words) } }, initAsync: false });
  const counts = [0, 1, 2, 1_000_000];
  expect(counts.map((count) => say.t('files', { count }))).toEqual(['0 files', '1 file', '2 files', '1000000 files']);
  expect(say.t('total', { count: 1_000_000 })).toBe('1000000 in all');
});
