import { fieldsOf } from '@fucina/shared/form-fields';
import { describe, expect, test } from '@jest/globals';
import { hostOf } from './elicitation.ts';
import { createFormState, finishForm, problemOf, setField } from './filling.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on the door', minLength: 2, maxLength: 5 },
    mail: { type: 'string', format: 'email', default: 'a@b.c' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    share: { type: 'number', default: 0.5 },
    sure: { type: 'boolean' },
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red'], default: 'g' },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
    tools: { type: 'array', items: { type: 'string', enum: ['saw', 'nail'] }, minItems: 1, maxItems: 1 },
    fish: { type: 'array', items: { anyOf: [{ const: 1, title: 'Tuna' }, { const: 2 }] }, default: [2] },
    odd: { type: 'object' },
  },
  required: ['name', 'age'],
};

describe('the fields of a form', () => {
  test('come from the schema', () => {
    const fields = fieldsOf(SCHEMA);
    expect(fields.map(({ name, kind, initial, isRequired }) => [name, kind, initial, isRequired])).toEqual([
      ['name', 'text', undefined, true],
      ['mail', 'text', 'a@b.c', false],
      ['age', 'integer', undefined, true],
      ['share', 'number', '0.5', false],
      ['sure', 'boolean', undefined, false],
      ['colour', 'one', [1], false],
      ['size', 'one', undefined, false],
      ['tools', 'many', undefined, false],
      ['fish', 'many', [1], false],
      ['odd', 'text', undefined, false],
    ]);
    expect(fields[0]).toMatchObject({ title: 'Your name', description: 'As on the door', least: 2, most: 5 });
    expect(fields[5]?.choices.map(({ label }) => label)).toEqual(['Red', 'g']);
    expect(fields[6]?.choices.map(({ label }) => label)).toEqual(['Small', 'l']);
  });

  test('an invalid schema gives no fields', () => {
    for (const schema of [{}, { properties: 3 }, { properties: null, required: 'x' }])
      expect(fieldsOf(schema)).toEqual([]);
    expect(fieldsOf({ properties: { a: null } })).toMatchObject([{ name: 'a', kind: 'text' }]);
  });
});

describe('a form that is filled in', () => {
  const at = (name: string): number => Object.keys(SCHEMA.properties).indexOf(name);

  test('is sent with typed values and without empty fields', () => {
    let filling = createFormState(SCHEMA);
    for (const [name, draft] of [
      ['name', 'Ada'],
      ['age', '36'],
      ['sure', false],
      ['size', [0]],
      ['fish', [0, 1]],
      ['mail', ''],
    ] as const)
      filling = setField(filling, at(name), draft);
    expect(finishForm(filling)).toEqual({
      content: { name: 'Ada', age: 36, share: 0.5, sure: false, colour: 'g', size: 's', fish: [1, 2] },
    });
  });

  test('is not sent while a required field is missing', () => {
    const finished = finishForm(setField(createFormState(SCHEMA), at('age'), '200'));
    const problems = 'refused' in finished ? finished.refused.problems : [];
    expect(problems.flatMap((problem) => problem ?? [])).toEqual([
      { key: 'form.needed' },
      { key: 'form.most-value', params: { count: 150 } },
    ]);
  });

  test('treats reserved property names as ordinary field names', () => {
    const form = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as Record<string, unknown>;
    const finished = finishForm(setField(createFormState(form), 0, 'x'));
    expect(JSON.stringify(finished)).toBe('{"content":{"__proto__":"x"}}');
  });

  test.each([
    [{ type: 'string', minLength: 2 }, '👍🏽', undefined],
    [{ type: 'string', minLength: 3 }, 'ab', 'form.least-characters'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'form.most-characters'],
    [{ type: 'string', format: 'email' }, 'a@b', undefined],
    [{ type: 'string', format: 'email' }, 'a b@c', 'form.email'],
    [{ type: 'string', format: 'uri' }, 'example.com', 'form.uri'],
    [{ type: 'string', format: 'uri' }, 'https://example.com', undefined],
    [{ type: 'string', format: 'date' }, '2024-02-29', undefined],
    [{ type: 'string', format: 'date' }, '2026-02-29', 'form.date'],
    [{ type: 'string', format: 'date' }, '2026-02-01T00:00:00Z', 'form.date'],
    [{ type: 'string', format: 'date-time' }, '2026-02-01T23:59:00+01:00', undefined],
    [{ type: 'string', format: 'date-time' }, '2026-02-01T24:00:00Z', 'form.date-time'],
    [{ type: 'number', minimum: 1 }, '0.5', 'form.least-value'],
    [{ type: 'number' }, '1e3', 'form.number'],
    [{ type: 'integer' }, '3.5', 'form.integer'],
    [{ type: 'integer' }, '0x10', 'form.integer'],
    [{ type: 'integer' }, '9007199254740993', 'form.integer'],
    [{ type: 'integer' }, ' -3 ', undefined],
  ] as const)('field type %j accepts %s: %s', (schema, draft, problem) => {
    const [field] = fieldsOf({ properties: { a: schema } });
    if (!field) throw new Error('a field is missing');
    expect(problemOf(field, draft)?.key).toBe(problem);
  });
});

test('host validation follows the rules of host names', () => {
  expect(hostOf('https://bank.example:8443@evil.example/bank.example')).toBe('evil.example');
  expect(hostOf('https://аррӏе.com/')).toMatch(/^xn--/);
  expect(hostOf('https://')).toBe('');
});
