import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROUTES } from '../src/routes.ts';
import { KNOWN_GAPS } from './known-gaps.ts';

const text = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n');
const matches = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match.slice(1).join(' '));
const covered = new Set(matches(/covers\(\s*'([\w.-]+)'/g));
const refused = new Set(matches(/refuses\(\s*'([\w.-]+)',\s*'(\w+)'/g));
for (const [, code, list = ''] of text.matchAll(/refusesEach\(\s*'(\w+)',\s*\[([^\]]*)\]/g)) {
  for (const [, operation] of list.matchAll(/'([\w.-]+)'/g)) refused.add(`${operation} ${code}`);
}

for (const [, list = ''] of text.matchAll(/coversEach\(\s*\[([^\]]*)\]/g)) {
  for (const [, operation = ''] of list.matchAll(/'([\w.-]+)'/g)) covered.add(operation);
}

test('every operation has a success test', () => {
  expect(ROUTES.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
});

test('every declared error has a test or a documented reason', async () => {
  const declared: string[] = [];
  for (const route of ROUTES) {
    const { id, errors } = await route.load();
    declared.push(...errors.map((code) => `${id} ${code}`));
  }
  expect(declared.filter((pair) => !refused.has(pair) && !KNOWN_GAPS[pair])).toEqual([]);
  expect(Object.keys(KNOWN_GAPS).filter((pair) => refused.has(pair) || !declared.includes(pair))).toEqual([]);
});

test('tests name only declared operations', () => {
  const ids = new Set(ROUTES.map(({ id }) => id));
  const named = [...covered, ...[...refused].map((pair) => pair.split(' ')[0] ?? '')];
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});
