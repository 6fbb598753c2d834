import { expect, test } from '@jest/globals';
import { createPathIndex } from '../src/http/path-index.ts';

const pathsLike = createPathIndex([
  '/tasks/{taskId}',
  '/tasks/batch',
  '/tasks',
  '/sessions/{sessionId}/files/{path*}',
  '/sessions/{sessionId}/files/list',
  '/sessions/{sessionId}/resume',
]);

test.each([
  ['/tasks', ['/tasks']],
  ['/tasks/7', ['/tasks/{taskId}']],
  // Express knows that a parameter has a character at least.
  ['/tasks/', ['/tasks/{taskId}']],
  ['/tasks/batch', ['/tasks/batch', '/tasks/{taskId}']],
  ['/sessions/1/resume', ['/sessions/{sessionId}/resume']],
  ['/sessions/1/files/list', ['/sessions/{sessionId}/files/list', '/sessions/{sessionId}/files/{path*}']],
  ['/sessions/1/files/a/b.txt', ['/sessions/{sessionId}/files/{path*}']],
])('%s could mean %j, literals first', (path, expected) => {
  expect(pathsLike(path)).toEqual(expected);
});

test.each(['', '/', '/Tasks', '/tasks/7/8', '/sessions/1/files', '/sessions//1/resume', '/nothing'])(
  '%j means none of them',
  (path) => {
    expect(pathsLike(path)).toEqual([]);
  },
);
