import type { Item } from '@fucina/conversation';
import { expect, test } from '@jest/globals';
import { localAddresses } from './local-addresses.ts';

const items = (...texts: string[]) => texts.map((text) => ({ kind: 'text', text })) as unknown as Item[];

test('lists local addresses once, the latest first', () => {
  const found = localAddresses({
    items: items(
      'Local: http://localhost:5173/ and http://127.0.0.1:8080/app.',
      'Open http://localhost:3000, or `http://localhost:5173`',
    ),
  });
  expect(found).toEqual(['http://localhost:3000', 'http://localhost:5173', 'http://127.0.0.1:8080/app']);
});

test('ignores other hosts and addresses without a port', () => {
  expect(localAddresses({ items: items('http://example.org:8080 http://localhost/ localhost:5173') })).toEqual([]);
});
