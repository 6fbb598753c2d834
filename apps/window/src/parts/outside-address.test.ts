import { expect, test } from '@jest/globals';
import { outsideAddress } from './outside-address.ts';

const NAME = 'fucina-0123456789abcdef0123.localhost';
const NEIGHBOR = 'fucina-0123456789abcdef0124.localhost';
const at = (host: string) => ({ host, hostname: host.replace(/:\d+$/, '') });
const plain = at('127.0.0.1:4174');
const named = at(`${NAME}:4174`);

test.each([
  'http://127.0.0.1:3000/a?b#c',
  'http://127.0.0.255:3000/a?b#c',
  'http://[::1]:3000/a?b#c',
  'http://[::ffff:127.0.0.1]:3000/a?b#c',
  'http://0.0.0.0:3000/a?b#c',
  'http://LOCALHOST.:3000/a?b#c',
  'http://2130706433:3000/a?b#c',
  `http://${NEIGHBOR}:3000/a?b#c`,
])('opens %s as localhost', (address) => {
  for (const own of [plain, named]) expect(outsideAddress(address, own)).toBe('http://localhost:3000/a?b#c');
  expect(outsideAddress(address, at('localhost:4174'))).toBe('http://127.0.0.1:3000/a?b#c');
});

test('opens https on another port of this computer as localhost too', () => {
  expect(outsideAddress('https://127.0.0.1:8443/', plain)).toBe('https://localhost:8443/');
});

test('refuses the name of this instance with another port only', () => {
  for (const port of [1, 4173, 4175, 65_535]) expect(outsideAddress(`http://${NAME}:${port}/`, named)).toBeUndefined();
  expect(outsideAddress(`http://${NAME}/`, named)).toBeUndefined();
  expect(outsideAddress(`https://${NAME}:4173/`, named)).toBeUndefined();
  expect(outsideAddress(`http://${NAME.toUpperCase()}.:4173/`, named)).toBeUndefined();
  expect(outsideAddress(`http://${NAME}:4174/sessions/a`, named)).toBe(`http://${NAME}:4174/sessions/a`);
});

test.each([
  'http://127.0.0.1:4174/sessions/a',
  'https://example.org/',
  'https://127.0.0.1.example.org:3000/',
  'http://shop.localhost:3000/',
  'http://128.0.0.1:3000/',
  'mailto:a@example.org',
  '/api/v1/x',
])('leaves %s as it is', (address) => {
  expect(outsideAddress(address, plain)).toBe(address);
});
