import { Script } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'parse5';
import { attribute, elementsOf } from './elements.ts';
import { iconLinks } from './icon-links.ts';
import { withOverlay } from './overlay-page.ts';
import { overlayScript } from './overlay-script.ts';

const page = (html: string, windowOrigin = 'http://127.0.0.1:4174') =>
  withOverlay({
    html,
    pageUrl: 'http://127.0.0.1:5173/a/b',
    baseUrl: 'http://localhost:5173/a/b',
    windowOrigin,
  });
const baseOf = (html: string) => {
  const base = [...elementsOf(parse(html))].find(({ tagName }) => tagName === 'base');
  return base && attribute(base, 'href');
};

describe('the overlay', () => {
  test.each([
    ['<!doctype html><html lang="it"><head><title>A</title></head><body>x</body></html>', '<head>'],
    ['<!doctype html><html><body>x</body></html>', '<html>'],
    ['<!DOCTYPE html>\n<p>x', '<!DOCTYPE html>'],
    ['<p>x', ''],
    ['', ''],
  ])('is inserted where the head of %s begins and changes nothing else', (html, before) => {
    const made = page(html);
    const added = made.slice(
      before.length + html.indexOf(before),
      made.length - html.length + before.length + html.indexOf(before),
    );
    expect(added).toMatch(/^<base href="http:\/\/localhost:5173\/a\/b"><script>[\s\S]*<\/script>$/);
    expect(made.replace(added, () => '')).toBe(html);
    expect(baseOf(made)).toBe('http://localhost:5173/a/b');
  });

  test('keeps the page’s own base unless it is invalid', () => {
    expect(baseOf(page('<head><base href="/app/"></head>'))).toBe('http://localhost:5173/app/');
    expect(baseOf(page('<head><base href="javascript:x"></head>'))).toBe('http://localhost:5173/a/b');
  });

  test('contains a valid script', () => {
    const facts = { pageUrl: 'http://localhost/', baseUrl: 'http://localhost/', windowOrigin: 'http://127.0.0.1:1' };
    expect(() => new Script(overlayScript(facts))).not.toThrow();
  });

  test('an address cannot close its script', () => {
    const made = withOverlay({
      html: '<p>x',
      pageUrl: 'http://localhost/"</script><i>',
      baseUrl: 'http://localhost/"&<',
      windowOrigin: 'http://127.0.0.1:1',
    });
    expect([...elementsOf(parse(made))].map(({ tagName }) => tagName)).toEqual([
      'html',
      'head',
      'base',
      'script',
      'body',
      'p',
    ]);
  });
});

test('lists icon links of the page without SVG', () => {
  const html = `<base href="/x/"><link rel="stylesheet" href="a.css"><link rel="shortcut icon" href="i.png">
    <link rel="icon" type="image/svg+xml" href="i.svg"><link rel="icon" href="data:image/png,x">
    <link rel="Apple-Touch-Icon" href="https://cdn.example/t.png"><link rel="icon" href="http://[">`;
  expect(iconLinks(html, 'https://forge.example/')).toEqual([
    'https://forge.example/x/i.png',
    'https://cdn.example/t.png',
  ]);
});
