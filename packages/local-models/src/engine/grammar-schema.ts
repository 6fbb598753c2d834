import type { GbnfJsonSchema } from 'node-llama-cpp';

type Json = Record<string, unknown>;

const MAX_DEPTH = 12;
const SIMPLE = ['string', 'number', 'integer', 'boolean', 'null'] as const;
type Simple = (typeof SIMPLE)[number];

/** Any value, where a schema allows all. */
const ANY: GbnfJsonSchema = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array' },
    { type: 'object', additionalProperties: true },
  ],
};

/**
 * The part of a JSON Schema that a grammar can express. A grammar writes every property: an optional one may therefore
 * be null, and `withoutNulls` removes it again. Lengths and patterns are checked by the tool itself.
 */
export function grammarSchema(schema: unknown): GbnfJsonSchema | undefined {
  const read = toGrammar(schema, { root: asRecord(schema), depth: 0 });
  const isEmpty =
    'type' in read && read.type === 'object' && !('properties' in read) && !('additionalProperties' in read);
  return isEmpty ? undefined : read;
}

interface Place {
  root: Json;
  depth: number;
}

function toGrammar(given: unknown, place: Place): GbnfJsonSchema {
  const schema = resolved(given, place.root);
  if (!schema || place.depth > MAX_DEPTH) return ANY;
  const below: Place = { root: place.root, depth: place.depth + 1 };
  const described = typeof schema['description'] === 'string' ? { description: schema['description'] } : {};
  const choices = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(schema['enum'])) {
    const values = schema['enum'].filter(isScalar);
    return values.length > 0 ? { enum: values, ...described } : ANY;
  }
  if (isScalar(schema['const'])) return { const: schema['const'], ...described };
  if (Array.isArray(choices) && choices.length > 0)
    return { oneOf: choices.map((one) => toGrammar(one, below)), ...described };
  if (Array.isArray(schema['allOf']) && schema['allOf'].length > 0)
    return toGrammar(
      Object.assign({}, ...schema['allOf'].map((one) => resolved(one, place.root)), { ...schema, allOf: undefined }),
      below,
    );
  return { ...ofType(schema, below), ...described } as GbnfJsonSchema;
}

function ofType(schema: Json, below: Place): GbnfJsonSchema {
  const { type } = schema;
  if (Array.isArray(type)) {
    if (type.every(isSimple)) return { type };
    return { oneOf: type.map((one) => ofType({ ...schema, type: one }, below)) };
  }
  if (isSimple(type)) return { type };
  if (type === 'array')
    return { type: 'array', ...(schema['items'] !== undefined && { items: toGrammar(schema['items'], below) }) };
  if (type === 'object' || schema['properties'] !== undefined) return ofObject(schema, below);
  return ANY;
}

function ofObject(schema: Json, below: Place): GbnfJsonSchema {
  const required = new Set(strings(schema['required']));
  const properties = Object.entries(asRecord(schema['properties'])).map(([name, one]) => {
    const grammar = toGrammar(one, below);
    return [name, required.has(name) || takesNull(resolved(one, below.root)) ? grammar : orNull(grammar)] as const;
  });
  const more = schema['additionalProperties'];
  return {
    type: 'object',
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(isRecord(more) && { additionalProperties: toGrammar(more, below) }),
    ...((more === true || (more === undefined && properties.length === 0 && below.depth > 1)) && {
      additionalProperties: true,
    }),
  } as GbnfJsonSchema;
}

function orNull(grammar: GbnfJsonSchema): GbnfJsonSchema {
  const { description, ...bare } = grammar as GbnfJsonSchema & { description?: string };
  return { oneOf: [bare as GbnfJsonSchema, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** The same value without the nulls that stand for omitted optional properties. */
export function withoutNulls(value: unknown, schema: unknown): unknown {
  return cleaned(value, schema, { root: asRecord(schema), depth: 0 });
}

function cleaned(value: unknown, given: unknown, { root, depth }: Place): unknown {
  const schema = resolved(given, root);
  if (!schema || depth > MAX_DEPTH) return value;
  const below = { root, depth: depth + 1 };
  if (Array.isArray(value)) return value.map((one) => cleaned(one, schema['items'], below));
  if (!isRecord(value)) return value;
  const properties = asRecord(schema['properties']);
  const required = new Set(strings(schema['required']));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const isLeftOut =
        one === null &&
        Object.hasOwn(properties, name) &&
        !required.has(name) &&
        !takesNull(resolved(properties[name], root));
      return isLeftOut ? [] : [[name, cleaned(one, properties[name], below)]];
    }),
  );
}

function takesNull(schema: Json | undefined): boolean {
  if (!schema) return false;
  const { type, enum: values, const: only } = schema;
  const choices = schema['oneOf'] ?? schema['anyOf'];
  return (
    type === 'null' ||
    only === null ||
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(values) && values.includes(null)) ||
    (Array.isArray(choices) && choices.some((one) => isRecord(one) && one['type'] === 'null'))
  );
}

/** References inside the schema itself, a few in a row at most; any other is rejected. */
function resolved(given: unknown, root: Json): Json | undefined {
  let schema = given;
  for (let hops = 0; isRecord(schema) && typeof schema['$ref'] === 'string'; hops += 1) {
    const path = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(schema['$ref']);
    if (!path || hops > MAX_DEPTH) return undefined;
    schema = asRecord(root[path[1] ?? ''])[path[2] ?? ''];
  }
  return isRecord(schema) ? schema : undefined;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isSimple(value: unknown): value is Simple {
  return SIMPLE.some((one) => one === value);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}
