import type { Item } from '@fucina/conversation';
import { expect, test } from '@jest/globals';
import { sentMessages } from './use-history.ts';

test('lists the user’s messages, the latest first and each once', () => {
  const items = [
    { kind: 'person', text: 'First' },
    { kind: 'text', text: 'An answer' },
    { kind: 'person', text: 'Second' },
    { kind: 'person', text: 'Removed', isRemoved: true },
    { kind: 'person', text: ' ' },
    { kind: 'person', text: 'First' },
  ] as unknown as Item[];
  expect(sentMessages({ items })).toEqual(['First', 'Second']);
});
