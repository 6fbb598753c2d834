import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ROUTES } from '../src/routes.ts';
import { INTERFACE } from './pins/interface.ts';

const key = (method: string, path: string): string => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`;

test('every declared operation is one of the interface’s 268, and none twice', () => {
  const known = new Set(INTERFACE.map(([method, path]) => key(method, path)));
  const declared = ROUTES.map(({ method, path }) => key(method, path));
  expect(declared.filter((operation) => !known.has(operation))).toEqual([]);
  expect(new Set(declared).size).toBe(declared.length);
  process.stderr.write(`operations declared: ${declared.length} of ${INTERFACE.length}\n`);
});

test('the list itself is 116 GET, 136 POST, 7 PATCH and 9 DELETE', () => {
  const count = (method: string): number => INTERFACE.filter(([candidate]) => candidate === method).length;
  expect([count('GET'), count('POST'), count('PATCH'), count('DELETE')]).toEqual([116, 136, 7, 9]);
});

test('openapi.json names every route with its answer and its error codes', () => {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  for (const { method, path } of ROUTES) {
    const operation = document.paths[`/api/v1${path.replace('*}', '}')}`]?.[method.toLowerCase()];
    expect(operation?.operationId).toBeTruthy();
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '500']));
  }
});
