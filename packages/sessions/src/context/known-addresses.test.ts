import type { SessionEvent } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { createKnownAddresses } from './known-addresses.ts';

const started = (consegna: string): SessionEvent => ({
  type: 'RunStarted',
  threadId: 's',
  runId: 'r',
  input: { consegna },
});
const found = (...indirizzi: string[]): SessionEvent => ({
  type: 'ToolCallResult',
  messageId: 'm',
  toolCallId: 'c',
  content: 'https://content.example/',
  role: 'tool',
  indirizzi,
});

function knowing(...events: SessionEvent[]) {
  const addresses = createKnownAddresses();
  for (const event of events) addresses.learn(event);
  return addresses;
}

test.each([
  ['read https://a.example/x?y=1 please', 'https://a.example/x?y=1'],
  ['see https://a.example.', 'https://a.example/'],
  ['(https://a.example/x)', 'https://a.example/x'],
  ['[here](https://a.example/x).', 'https://a.example/x'],
  ['HTTPS://A.Example/x', 'https://a.example/x'],
  ['https://a.example/x', 'https://a.example/x#part'],
])('knows the address that the user wrote in %j: %s', (text, address) => {
  expect(knowing(started(text)).isWritten(address)).toBe(true);
});

test.each(['https://a.example/xy', 'https://a.example/x?q=1', 'https://a.example/', 'http://a.example/x', 'ftp://a'])(
  'does not know %s when the user wrote a neighbor',
  (address) => {
    expect(knowing(started('https://a.example/x')).isWritten(address)).toBe(false);
  },
);

test('knows what a tool found, not what its text mentions', () => {
  const addresses = knowing(found('https://found.example/a'));
  expect(addresses.isFound('https://found.example/a')).toBe(true);
  expect(addresses.isWritten('https://found.example/a')).toBe(false);
  expect(addresses.isFound('https://content.example/')).toBe(false);
});

test('knows addresses of redirects and queued messages', () => {
  const addresses = knowing(
    { type: 'RunRedirectApplied', redirectId: 'r', testo: 'https://one.example/' },
    { type: 'QueuedMessageDelivered', testo: 'https://two.example/' },
  );
  expect([addresses.isWritten('https://one.example/'), addresses.isWritten('https://two.example/')]).toEqual([
    true,
    true,
  ]);
});

test('forgets the oldest of more than 10,000 addresses', () => {
  const many = Array.from({ length: 10_001 }, (_, at) => `https://a.example/${at}`);
  const addresses = knowing(found(...many));
  expect(addresses.isFound(many[0] ?? '')).toBe(false);
  expect(addresses.isFound(many[1] ?? '')).toBe(true);
  expect(addresses.isFound(many[10_000] ?? '')).toBe(true);
});
