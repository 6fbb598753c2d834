import { describe, expect, test } from '@jest/globals';
import { canonicalHost, fitsHost, parseHostPattern } from './host-pattern.ts';

describe('a host', () => {
  test.each([
    ['Example.ORG.', 'example.org'],
    ['127.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['[::ffff:a9fe:a9fe]', '169.254.169.254'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['１２７.0.0.1', '127.0.0.1'],
  ])('%s is read as %s', (text, host) => expect(canonicalHost(text)).toBe(host));

  test.each(['', ' ', 'a b', 'user@host', 'a/b', 'a#b', 'fe80::1%eth0', 'a\\b', '256.1.1.1', '[::1', 'example.org..'])(
    '%j is refused',
    (text) => expect(canonicalHost(text)).toBeUndefined(),
  );
});

describe('a host pattern', () => {
  test.each([
    ['example.org', { host: 'example.org' }],
    ['Example.org:8443', { host: 'example.org', port: 8443 }],
    ['*.example.org', { host: '*.example.org' }],
    ['localhost:*', { host: 'localhost', port: 'any' }],
    ['[::1]:3000', { host: '::1', port: 3000 }],
    ['*', { host: '*' }],
    ['*:443', { host: '*', port: 443 }],
  ])('%s is read', (text, pattern) => expect(parseHostPattern(text)).toEqual(pattern));

  test.each(['https://example.org', 'example.org/x', 'a*.org', '*.*', 'example.org:0', 'example.org:70000', ''])(
    '%j is refused',
    (text) => expect(parseHostPattern(text)).toBeUndefined(),
  );

  test.each([
    ['*.example.org', 'example.org', 443, true],
    ['*.example.org', 'a.b.example.org', 443, true],
    ['*.example.org', 'notexample.org', 443, false],
    ['example.org', 'a.example.org', 443, false],
    ['example.org:443', 'example.org', 80, false],
    ['localhost:*', 'localhost', 3000, true],
    ['*', 'anything.example', 1, true],
  ])('%s against %s:%i fits: %s', (text, host, port, fits) => {
    const pattern = parseHostPattern(text);
    expect(pattern && fitsHost(pattern, { host, port })).toBe(fits);
  });
});
