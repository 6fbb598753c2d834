import { expect, test } from '@jest/globals';
import { contentOf, fieldsOf } from './elicitation.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on the door', default: 'Ada' },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer' },
    share: { type: 'number', default: 0.5 },
    sure: { type: 'boolean', default: true },
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red'] },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
    odd: { type: 'array' },
  },
  required: ['name', 'age'],
};

test('fields of every kind are told from their schema', () => {
  const fields = fieldsOf(SCHEMA);
  expect(fields.map(({ name, kind, input, isRequired }) => [name, kind, input, isRequired])).toEqual([
    ['name', 'text', 'text', true],
    ['mail', 'text', 'email', false],
    ['age', 'integer', 'text', true],
    ['share', 'number', 'text', false],
    ['sure', 'boolean', 'text', false],
    ['colour', 'choice', 'text', false],
    ['size', 'choice', 'text', false],
    ['odd', 'text', 'text', false],
  ]);
  expect(fields[0]).toMatchObject({ title: 'Your name', description: 'As on the door', initial: 'Ada' });
  expect(fields[5]?.choices).toEqual([
    { value: 'r', label: 'Red' },
    { value: 'g', label: 'g' },
  ]);
  expect(fields[6]?.choices.map(({ label }) => label)).toEqual(['Small', 'l']);
});

test('a schema that is none asks for nothing', () => {
  for (const schema of [undefined, null, 'x', {}, { properties: 3 }]) expect(fieldsOf(schema)).toEqual([]);
});

test('what is sent has its types; nothing is sent while something needed is missing', () => {
  const fields = fieldsOf(SCHEMA);
  expect(contentOf(fields, {})).toBeUndefined();
  expect(contentOf(fields, { age: '3.5' })).toBeUndefined();
  expect(contentOf(fields, { age: 'old' })).toBeUndefined();
  expect(contentOf(fields, { name: ' ', age: '3' })).toBeUndefined();
  expect(contentOf(fields, { age: '3', sure: false, colour: 'g', mail: '' })).toEqual({
    name: 'Ada',
    age: 3,
    share: 0.5,
    sure: false,
    colour: 'g',
  });
});
