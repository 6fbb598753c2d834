import { expect, test } from '@jest/globals';
import { enMore } from '../words/more-en.ts';
import { printedValue } from './argument-words.ts';

const say = (key: string) => (enMore as Record<string, string>)[key] ?? key;

test.each([
  ['src/a.ts', 'src/a.ts'],
  [true, 'Yes'],
  [12, '12'],
  [['a', 'b'], '- a\n- b'],
  [[{ content: 'Fix', status: 'pending' }], '- content: Fix\n  status: pending'],
])('prints %j without braces and quotes', (value, printed) => {
  expect(printedValue(value, say as never)).toBe(printed);
});
