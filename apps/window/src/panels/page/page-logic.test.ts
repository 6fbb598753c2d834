import { expect, test } from '@jest/globals';
import { addressFromTyped, isLocalAddress } from './page-address.ts';
import { overlayWord, quotedElement } from './picked-element.ts';

test.each([
  ['5173', 'http://localhost:5173/'],
  [':3000/a?b', 'http://localhost:3000/a?b'],
  ['localhost:8080/x', 'http://localhost:8080/x'],
  ['127.0.0.1:1', 'http://127.0.0.1:1/'],
  ['[::1]:3000', 'http://[::1]:3000/'],
  ['example.org/a', 'https://example.org/a'],
  [' http://example.org ', 'http://example.org/'],
  ['', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['https://a:b@example.org', undefined],
  ['two words', undefined],
])('“%s” is the address %s', (text, url) => expect(addressFromTyped(text)).toBe(url));

test('accepts only addresses of this computer', () => {
  expect(isLocalAddress('http://localhost:5173/a')).toBe(true);
  for (const url of ['https://example.org', 'http://localhost.example', 'javascript:1']) {
    expect(isLocalAddress(url)).toBe(false);
  }
});

test('validates and truncates messages of the page', () => {
  for (const data of [null, 'x', {}, { type: 'svc-elemento', selector: 1, html: '' }, { type: 'svc-vai', url: 1 }]) {
    expect(overlayWord(data)).toBeUndefined();
  }
  const word = overlayWord({
    type: 'svc-elemento',
    selector: '#a',
    html: 'x'.repeat(9_000),
    styles: { color: 'red', b: 1 },
  });
  expect(word).toEqual({
    kind: 'element',
    element: { selector: '#a', html: 'x'.repeat(4_000), styles: { color: 'red' } },
  });
});

test('quotes an element in a message even when it contains code fences', () => {
  const text = quotedElement(
    { selector: '#a', html: '<p>```</p>', styles: { color: 'red', zoom: '1' } },
    'http://localhost/',
  );
  expect(text).toBe('http://localhost/\n```css\n#a\n```\n````html\n<p>```</p>\n````\n```css\ncolor: red\n```\n');
});
