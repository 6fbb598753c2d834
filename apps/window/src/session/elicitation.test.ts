import { fieldsOf } from '@fucina/shared/form-fields';
import { expect, test } from '@jest/globals';
import { contentOf, draftOf, inputTypeOf } from './elicitation.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on the door', default: 'Ada' },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer' },
    share: { type: 'number', default: 0.5 },
    sure: { type: 'boolean', default: true },
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red'] },
    sizes: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['s', 'm', 'l'] } },
    at: { type: 'string', format: 'date-time', default: '2026-01-02T03:04:05Z' },
  },
  required: ['name', 'age'],
};
const fields = fieldsOf(SCHEMA);
const AT = draftOf(fields[7] as (typeof fields)[number], {});
const BARE = { name: 'Ada', age: 3, share: 0.5, sure: true, at: '2026-01-02T03:04:00.000Z' };

test('an invalid schema gives no fields', () => {
  for (const schema of [undefined, null, 'x', {}, { properties: 3 }]) expect(fieldsOf(schema)).toEqual([]);
});

test('chooses the input type by format and uses the user’s time zone', () => {
  expect(fields.map(inputTypeOf)).toEqual(['text', 'email', 'text', 'text', 'text', 'text', 'text', 'datetime-local']);
  expect(new Date(String(AT)).toISOString()).toBe('2026-01-02T03:04:00.000Z');
});

test('sends typed values, and nothing while a required field is missing', () => {
  expect(contentOf(fields, {})).toBeUndefined();
  expect(contentOf(fields, { age: '3.5' })).toBeUndefined();
  expect(contentOf(fields, { age: 'old' })).toBeUndefined();
  expect(contentOf(fields, { name: ' ', age: '3' })).toBeUndefined();
  expect(contentOf(fields, { age: '3', share: 'much' })).toBeUndefined();
  expect(contentOf(fields, { age: '3', sure: false, colour: [1], mail: '' })).toEqual({
    ...BARE,
    sure: false,
    colour: 'g',
  });
  expect(contentOf(fields, { age: '3', at: '' })).toEqual({ ...BARE, at: undefined });
});

test('allows as many choices as the schema', () => {
  expect(contentOf(fields, { age: '3', sizes: [0, 2] })).toEqual({ ...BARE, sizes: ['s', 'l'] });
  expect(contentOf(fields, { age: '3', sizes: [0, 1, 2] })).toBeUndefined();
  expect(contentOf(fields, { age: '3', sizes: [] })).toEqual(BARE);
});
