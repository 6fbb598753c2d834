import { expect, test } from '@jest/globals';
import { windowPath } from './target.ts';

test.each([
  [undefined, '/'],
  ['.', '/?folder=%2Fhome%2Fme'],
  ['../other project', '/?folder=%2Fhome%2Fother%20project'],
  ['fucina://new', '/'],
  ['fucina://open?folder=/a/b%20c', '/?folder=%2Fa%2Fb%20c'],
  ['fucina://session/0b8f-1', '/sessions/0b8f-1'],
])('opens %s at %s', (target, path) => {
  expect(windowPath(target, '/home/me')).toBe(path);
});

test.each([
  'fucina:',
  'fucina://run?command=x',
  'fucina://open',
  'fucina://open?folder=relative',
  'fucina://open/x?folder=/a',
  'fucina://session/a%2Fb',
  'fucina://session/a/b',
  'fucina://session/',
])('refuses the link %s', (link) => {
  expect(windowPath(link, '/home/me')).toBeUndefined();
});
