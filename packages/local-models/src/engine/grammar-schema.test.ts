import { describe, expect, test } from '@jest/globals';
import { grammarSchema, withoutNulls } from './grammar-schema.ts';

const ANY = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array' },
    { type: 'object', additionalProperties: true },
  ],
};

describe('the grammar of a tool schema', () => {
  test('keeps supported keywords and makes optional properties nullable', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Where.' },
        mode: { enum: ['r', 'w'] },
        lines: { type: 'array', items: { type: 'integer', minimum: 1 } },
      },
      required: ['path'],
      additionalProperties: false,
    };
    expect(grammarSchema(schema)).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where.' },
        mode: { oneOf: [{ enum: ['r', 'w'] }, { type: 'null' }] },
        lines: { oneOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
      },
    });
    expect(withoutNulls({ path: 'a', mode: null, lines: [1] }, schema)).toEqual({ path: 'a', lines: [1] });
  });

  test.each<[string, unknown, unknown]>([
    ['nothing to give', { type: 'object', properties: {} }, undefined],
    ['a choice', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { oneOf: [{ type: 'string' }, { type: 'null' }] }],
    ['several types', { type: ['string', 'object'] }, { oneOf: [{ type: 'string' }, expect.anything()] }],
    ['a constant', { const: 3 }, { const: 3 }],
    ['a reference', { $defs: { a: { type: 'boolean' } }, $ref: '#/$defs/a' }, { type: 'boolean' }],
    ['a reference to nothing', { $ref: 'https://elsewhere/schema' }, ANY],
    [
      'parts together',
      { allOf: [{ type: 'object' }, { properties: { a: { type: 'number' } } }] },
      expect.objectContaining({ type: 'object' }),
    ],
    ['no schema at all', 7, ANY],
  ])('converts %s', (_name, schema, grammar) => {
    expect(grammarSchema(schema)).toEqual(grammar);
  });

  test('terminates for a recursive schema', () => {
    const schema = {
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    };
    expect(JSON.stringify(grammarSchema(schema)).length).toBeLessThan(10_000);
    expect(withoutNulls({ next: { next: null } }, schema)).toEqual({ next: {} });
  });

  test('keeps null where the schema allows it', () => {
    const schema = { type: 'object', properties: { a: { type: ['string', 'null'] }, b: { type: 'string' } } };
    expect(withoutNulls({ a: null, b: null }, schema)).toEqual({ a: null });
  });
});
