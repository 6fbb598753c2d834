import { expect, test } from '@jest/globals';
import { isOwn, underOtherName } from './addresses.ts';

const NAME = 'fucina-0123456789abcdef0123.localhost';
const own = `http://${NAME}:4174`;

test('a page of this computer loads its parts under a name that has no cookie of the window', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', 'localhost']) {
    const at = (window: string) => underOtherName(new URL(`http://${host}:3000/a`), window).href;
    expect(at(own)).toBe('http://localhost:3000/a');
    expect(at('http://127.0.0.1:4174')).toBe('http://localhost:3000/a');
    expect(at('http://[::1]:4174')).toBe('http://localhost:3000/a');
    expect(at('http://localhost:4174')).toBe('http://127.0.0.1:3000/a');
  }
});

test('the name of the instance is its own on every port, another name of this computer on its port only', () => {
  for (const address of [own, `http://${NAME}:3000`, `https://${NAME}`, `http://${NAME}.:1/`, 'http://127.0.0.1:4174'])
    expect([address, isOwn(new URL(address), own)]).toEqual([address, true]);
  const neighbor = NAME.replace('3.', '4.');
  for (const address of [
    'http://127.0.0.1:4173',
    `http://${neighbor}:4174`,
    `http://a.${NAME}:3000`,
    'https://a.example',
  ])
    expect([address, isOwn(new URL(address), own)]).toEqual([address, false]);
  expect(isOwn(new URL('http://localhost:3000'), 'http://localhost:4174')).toBe(false);
});
