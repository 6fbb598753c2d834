import { describe, expect, test } from '@jest/globals';
import { frameRefusal } from './frame-rules.ts';

const page = new URL('https://forge.example/oil');
const parent = new URL('http://127.0.0.1:4174');
const byPolicy = (policy: string, options?: string) =>
  frameRefusal(
    { 'content-security-policy': policy, ...(options !== undefined && { 'x-frame-options': options }) },
    { page, parent },
  );
const byOptions = (options: string) => frameRefusal({ 'x-frame-options': options }, { page, parent });

describe('frame-ancestors', () => {
  test.each([
    '*',
    'http:',
    'http://127.0.0.1:4174',
    'http://127.0.0.1:*',
    'HTTP://127.0.0.1:4174/any/path',
    "'none' http://127.0.0.1:*",
    'http://*:*',
  ])('%s allows the window to frame the page', (sources) => {
    expect(byPolicy(`default-src 'none'; Frame-Ancestors ${sources}`, 'DENY')).toBeUndefined();
  });

  test.each([
    "'none'",
    "'self'",
    '',
    'https:',
    'https://127.0.0.1:4174',
    'http://127.0.0.1',
    'http://127.0.0.1:80',
    'http://localhost:*',
    // Without a scheme it means the page's own scheme, which differs from the window's.
    '127.0.0.1:*',
    '*.example',
    'nonsense://',
  ])('%s refuses', (sources) => {
    expect(byPolicy(`frame-ancestors ${sources}`)).toBe('frame-ancestors');
  });

  test('must allow the window in every policy', () => {
    expect(byPolicy("frame-ancestors *, default-src 'self', frame-ancestors 'none'")).toBe('frame-ancestors');
    expect(byPolicy("frame-ancestors *, default-src 'self'")).toBeUndefined();
  });

  test('matches subdomains of a wildcard, and https for a rule that names http', () => {
    const window = new URL('https://one.window.example');
    const by = (policy: string) => frameRefusal({ 'content-security-policy': policy }, { page, parent: window });
    expect(by('frame-ancestors http://*.window.example')).toBeUndefined();
    expect(by('frame-ancestors *.window.example')).toBeUndefined();
    expect(by('frame-ancestors *.one.window.example')).toBe('frame-ancestors');
  });
});

describe('X-Frame-Options', () => {
  test.each(['DENY', 'deny', 'SAMEORIGIN', ' sameorigin ', 'DENY, SAMEORIGIN', 'nothing, ALLOWALL', 'DENY, DENY'])(
    '%s refuses',
    (options) => expect(byOptions(options)).toBe('x-frame-options'),
  );

  test.each(['ALLOWALL', 'ALLOW-FROM https://a.example', 'nothing', ''])('%s is ignored', (options) =>
    expect(byOptions(options)).toBeUndefined(),
  );

  test('applies only without frame-ancestors', () => {
    expect(byPolicy("default-src 'self'", 'DENY')).toBe('x-frame-options');
    expect(byPolicy('frame-ancestors *', 'DENY')).toBeUndefined();
  });
});
