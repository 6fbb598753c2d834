import { expect, test } from '@jest/globals';
import { ownLinks } from './own-links.ts';

const page = 'https://docs.example.org/guide/start';

test('finds the links of a page to its own site, absolute and each once', async () => {
  const text =
    '[a](/api#top) [a again](/api) [b](next "Next") [up](../) <https://www.example.org/x> [c](<https://example.org/y>)';
  expect(await ownLinks(text, page)).toEqual([
    'https://docs.example.org/api',
    'https://docs.example.org/guide/next',
    'https://docs.example.org/',
    'https://www.example.org/x',
    'https://example.org/y',
  ]);
});

test.each([
  '[x](https://example.com/)',
  '[x](https://example.org.evil.net/)',
  '[x](//evil.net/a)',
  '[x](mailto:a@example.org)',
  '[x](javascript:alert(1))',
  '[x](https://user:secret@example.org/)',
  `[x](https://example.org/${'a'.repeat(2_048)})`,
])('leaves out %s', async (text) => {
  expect(await ownLinks(text, page)).toEqual([]);
});

test('stops after 300 links', async () => {
  const text = Array.from({ length: 301 }, (_, at) => `[x](/${at})`).join(' ');
  expect(await ownLinks(text, page)).toHaveLength(300);
});
