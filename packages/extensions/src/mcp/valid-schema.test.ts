import { describe, expect, test } from '@jest/globals';
import { toolNames } from './tool-name.ts';
import { makeValid } from './valid-schema.ts';

const valid = (schema: Record<string, unknown>) => {
  expect(makeValid(schema)).toBeUndefined();
  return schema;
};
const input = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const nested = (levels: number): Record<string, unknown> =>
  Array.from({ length: levels }).reduce<Record<string, unknown>>((inner) => input({ a: inner }), { type: 'string' });

describe('the schema of a tool', () => {
  test('that every vendor accepts stays as it is', () => {
    const schema = input(
      {
        color: { $ref: '#/$defs/Color', default: 'red' },
        list: { type: 'array', items: { type: 'string', enum: ['a'] } },
        any: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        closed: {
          type: 'object',
          properties: { required: { type: 'string' } },
          required: ['required'],
          additionalProperties: false,
        },
      },
      { required: ['color'], $defs: { Color: { type: 'string', enum: ['red', 'blue'] } } },
    );
    expect(valid(structuredClone(schema))).toEqual(schema);
  });

  test.each<[object, object]>([
    [{}, input({})],
    [{ properties: { a: { description: 'a' } } }, input({ a: { description: 'a' } })],
    [{ type: ['object', 'null'] }, input({})],
    [input({ list: { type: 'array' } }), input({ list: { type: 'array', items: {} } })],
    [input({ list: { type: ['array', 'null'] } }), input({ list: { type: ['array', 'null'], items: {} } })],
    [input({ list: { type: 'array', items: [{ type: 'string' }] } }), input({ list: { type: 'array', items: {} } })],
    [
      input({ a: { type: 'string' } }, { required: ['a', 'ghost'] }),
      input({ a: { type: 'string' } }, { required: ['a'] }),
    ],
    [input({ a: { type: 'object', required: ['ghost'] } }), input({ a: { type: 'object' } })],
    [input({ a: true, b: 3, c: { type: 'text', enum: [] } }), input({ a: {}, b: {}, c: {} })],
    [input({ a: { anyOf: [], oneOf: [{ type: 'array' }] } }), input({ a: { oneOf: [{ type: 'array', items: {} }] } })],
    [
      {
        anyOf: [input({ a: { type: 'string' } }, { required: ['a'] }), { $ref: '#/$defs/B' }],
        $defs: { B: input({ b: { type: 'array' } }) },
      },
      {
        ...input({ a: { type: 'string' }, b: { type: 'array', items: {} } }),
        $defs: { B: input({ b: { type: 'array', items: {} } }) },
      },
    ],
  ])('%j becomes one that every vendor accepts', (given, expected) => {
    expect(valid(given as Record<string, unknown>)).toEqual(expected);
  });

  test('is refused when its input is no object, and when it is too deep', () => {
    expect(makeValid({ type: 'string' })).toContain('no object');
    expect(makeValid({ type: ['array', 'null'] })).toContain('no object');
    expect(makeValid(nested(64))).toBeUndefined();
    expect(makeValid(nested(65))).toContain('deeper');
    expect(makeValid(nested(100_000))).toContain('deeper');
  });
});

describe('the names of tools', () => {
  const names = (...own: string[]) => [...toolNames('s', own).values()];

  test('are cut without a hash while they differ', () => {
    expect(names('a b/c', 'x'.repeat(55), 'y'.repeat(56))).toEqual([
      'mcp__s__a_b_c',
      `mcp__s__${'x'.repeat(55)}`,
      `mcp__s__${'y'.repeat(56)}`,
    ]);
    expect(names('z'.repeat(57))).toEqual([`mcp__s__${'z'.repeat(56)}`]);
  });

  test('differ by a hash of the own name in any order of the list, and an exact name stays', () => {
    const [one, two] = [`${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`];
    const found = toolNames('s', [one, two, 'a.b', 'a_b', 'a/b']);
    expect(new Set(found.values()).size).toBe(5);
    expect(Math.max(...[...found.values()].map(({ length }) => length))).toBe(64);
    expect(found.get('a_b')).toBe('mcp__s__a_b');
    expect(toolNames('s', ['a/b', 'a_b', 'a.b', two, one])).toEqual(found);
  });
});
