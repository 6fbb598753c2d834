import { expect, test } from '@jest/globals';
import { isSameSite, registrableDomain } from './registrable-domain.ts';

test.each([
  ['docs.example.co.uk', 'example.co.uk'],
  ['example.co.uk', 'example.co.uk'],
  ['one.github.io', 'one.github.io'],
  ['www.one.github.io', 'one.github.io'],
  ['github.io', undefined],
  ['co.uk', undefined],
  ['localhost', undefined],
  ['93.184.216.34', undefined],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
])('names the registrable domain of %s: %s', async (host, domain) => {
  expect(await registrableDomain(host)).toBe(domain);
});

test.each([
  ['https://a.example.com/x', 'http://b.example.com/', true],
  ['https://example.com/', 'https://example.com:8443/', true],
  ['https://one.github.io/', 'https://two.github.io/', false],
  ['https://example.com/', 'https://example.com.evil.net/', false],
  ['https://notexample.com/', 'https://example.com/', false],
  ['http://10.0.0.1/', 'http://10.0.0.2/', false],
  ['http://10.0.0.1/', 'http://10.0.0.1:81/', true],
  ['not an address', 'https://example.com/', false],
])('compares the owners of %s and %s: %s', async (one, other, same) => {
  expect(await isSameSite(one, other)).toBe(same);
});
