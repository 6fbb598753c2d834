import type { Item } from '@fucina/conversation';
import { expect, test } from '@jest/globals';
import { sentMessages } from './use-history.ts';

test('lists the user’s messages, the latest first and each once', () => {
  const items = [
    { kind: 'user', text: 'First' },
    { kind: 'text', text: 'An answer' },
    { kind: 'user', text: 'Second' },
    { kind: 'user', text: 'Removed', isRemoved: true },
    { kind: 'user', text: ' ' },
    { kind: 'user', text: 'First' },
  ] as unknown as Item[];
  expect(sentMessages({ items })).toEqual(['First', 'Second']);
});
